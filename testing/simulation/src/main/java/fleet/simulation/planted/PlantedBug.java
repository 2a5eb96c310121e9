package fleet.simulation.planted;

import fleet.simulation.Wiring;
import java.util.List;
import java.util.stream.Stream;

/**
 * A bug, by what is wired in place of what ships.
 *
 * @param text what is wrong, in one line
 * @param wiring with it in each fleetd
 */
public record PlantedBug(String text, Wiring.Source wiring) {

  /** All that a simulation has to find. */
  public static List<PlantedBug> all() {
    return Stream.of(LeaderBugs.all(), CommandBugs.all(), AgentBugs.all(), SystemdBugs.all())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public String toString() {
    return text;
  }
}
