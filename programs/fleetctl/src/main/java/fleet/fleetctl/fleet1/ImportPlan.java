package fleet.fleetctl.fleet1;

import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.fleet1.Fleet1Cluster.Fleet1Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plan of an import for each unit. Two clusters must not run a unit at once: one that is active
 * in the other cluster comes as inactive, and a later import starts it here.
 *
 * @param steps by name, those that cannot be read last
 */
public record ImportPlan(List<Step> steps) {

  private static final List<String> RISING = List.of("inactive", "loaded", "launched");

  public ImportPlan {
    steps = List.copyOf(steps);
  }

  /** The outcome for a unit. */
  public enum Kind {
    NEW("new"),
    RAISED("started here"),
    SAME("the same"),
    DIFFERENT("different"),
    UNREADABLE("unreadable");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The words for a number of units. */
    public String text() {
      return text;
    }
  }

  /**
   * One unit.
   *
   * @param toPut the change to make, if any
   * @param remark for people
   * @param waits whether it would be started here if it were not active in the other cluster
   */
  public record Step(
      String unit, Kind kind, Optional<UnitEntity> toPut, String remark, boolean waits) {}

  /** How desired states are taken over. */
  public enum States {
    /** Except those of units that are active in the other cluster. */
    UNLESS_ACTIVE,
    ALL,
    NONE
  }

  /**
   * Compares two clusters.
   *
   * @param here the units of this cluster that have the name of one of the other
   */
  public static ImportPlan of(Fleet1Cluster cluster, Map<String, UnitEntity> here, States states) {
    List<Step> steps = new ArrayList<>();
    for (Fleet1Unit unit : cluster.units()) {
      steps.add(step(unit, Optional.ofNullable(here.get(unit.name())), states));
    }
    cluster.unreadable().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(unit ->
            steps.add(
                new Step(
                    unit.getKey(), Kind.UNREADABLE, Optional.empty(), unit.getValue(), false)));
    return new ImportPlan(steps);
  }

  private static Step step(Fleet1Unit unit, Optional<UnitEntity> existing, States states) {
    String name = unit.name();
    UnitFile file = unit.file();
    boolean waits = states == States.UNLESS_ACTIVE && runsThere(unit);
    String state = waits || states == States.NONE ? "inactive" : unit.desired();
    String why = waits ? "inactive: it still runs there, on " + places(unit) : state;
    if (existing.isEmpty()) {
      UnitEntity put = UnitReader.creating(name, file, state);
      return new Step(name, Kind.NEW, Optional.of(put), "new, " + why, waits);
    }
    UnitEntity known = existing.get();
    if (!UnitReader.file(known).equals(file)) {
      String remark = "is here with another text: left alone";
      return new Step(name, Kind.DIFFERENT, Optional.empty(), remark, false);
    }
    if (isHigher(state, known.desiredState())) {
      UnitEntity put = UnitReader.desiring(name, state);
      return new Step(name, Kind.RAISED, Optional.of(put), "is here, now " + state, false);
    }
    boolean stays = waits && isHigher(unit.desired(), known.desiredState());
    return new Step(name, Kind.SAME, Optional.empty(), stays ? "stays " + why : "", stays);
  }

  private static boolean runsThere(Fleet1Unit unit) {
    return !unit.activeOn().isEmpty() && !unit.desired().equals("inactive");
  }

  private static String places(Fleet1Unit unit) {
    int more = unit.activeOn().size() - 1;
    return unit.activeOn().getFirst() + (more > 0 ? " and " + more + " more" : "");
  }

  private static boolean isHigher(String state, String than) {
    return RISING.indexOf(state) > RISING.indexOf(than);
  }

  /** The changes, in the order of the steps. */
  public List<UnitEntity> toPut() {
    return steps.stream().flatMap(step -> step.toPut().stream()).toList();
  }

  /** How many units are of a kind. */
  public long count(Kind kind) {
    return steps.stream().filter(step -> step.kind() == kind).count();
  }

  /** Whether all units of the other cluster will be here with the same text. */
  public boolean isWhole() {
    return count(Kind.DIFFERENT) + count(Kind.UNREADABLE) == 0;
  }
}
