package fleet.scheduler;

import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Where a unit goes, or why it can go nowhere. */
public sealed interface Decision {

  /** For people, in one line. */
  String text();

  /**
   * The unit goes to a machine.
   *
   * @param machine the machine's id
   * @param text why there
   * @param displaced units that have to leave that machine, because this one replaces them; sorted
   */
  record Placed(String machine, String text, Set<UnitName> displaced) implements Decision {}

  /**
   * No machine may run the unit.
   *
   * @param machines how many there are
   * @param obstacles what is in the way, one for each rule that is not met; each machine counts in
   *     the first only, in the order of the rules
   */
  record Unplaceable(int machines, List<Obstacle> obstacles) implements Decision {

    public Unplaceable {
      obstacles = List.copyOf(obstacles);
    }

    /**
     * Names of the units that block the decision by their places. As long as none of them and no
     * machine comes, changes or goes, the decision stays the same.
     */
    public Set<String> unitsInTheWay() {
      Set<String> units = new TreeSet<>();
      for (Obstacle obstacle : obstacles) {
        if (obstacle.isUnits()) {
          units.addAll(obstacle.subjects());
        }
      }
      return units;
    }

    /**
     * Whether it depends on room or on other units: then any unit that comes to a machine or leaves
     * it may change the decision.
     */
    public boolean waitsForRoom() {
      return obstacles.stream().anyMatch(Obstacle::isRoom);
    }

    /** The ids of the machines that would take the unit if they bid for it; sorted. */
    public Set<String> mayBid() {
      Set<String> machines = new TreeSet<>();
      for (Obstacle obstacle : obstacles) {
        if (obstacle.isBids()) {
          machines.addAll(obstacle.verdicts().keySet());
        }
      }
      return machines;
    }

    /** Whether some of them have not answered yet, and may still bid. */
    public boolean awaitsBids() {
      return obstacles.stream().anyMatch(Obstacle::awaitsBids);
    }

    /** Such as "2 of 5 machines lack region=eu, 3 conflict with web@1.service". */
    @Override
    public String text() {
      return Obstacle.inWords(machines, obstacles);
    }
  }
}
