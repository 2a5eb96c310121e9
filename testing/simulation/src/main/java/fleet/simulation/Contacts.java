package fleet.simulation;

import fleet.simulation.run.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Since when machines hear the cluster or not, and since when it has its leader. */
final class Contacts {

  private final Simulation simulation;
  private final Map<String, Boolean> hears = new HashMap<>();
  private final Map<String, Long> since = new HashMap<>();
  private Optional<String> leader = Optional.empty();
  private long leaderSince;

  Contacts(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Whether a machine's fleetd runs and can be told things. */
  void hears(String machine, boolean now) {
    if (!Boolean.valueOf(now).equals(hears.put(machine, now))) {
      since.put(machine, simulation.now());
    }
  }

  /** The leader, if there is one; a new term of the same machine is another one. */
  void leads(Optional<String> term) {
    if (!term.equals(leader)) {
      leader = term;
      leaderSince = simulation.now();
    }
  }

  boolean hears(String machine) {
    return hears.getOrDefault(machine, false);
  }

  /** Whether a machine could hear the cluster all of this time. */
  boolean hasHeardFor(String machine, Duration time) {
    return hears(machine) && simulation.now() - since.getOrDefault(machine, 0L) >= time.toNanos();
  }

  /** Whether one leader has been there all of this time. */
  boolean hasBeenLedFor(Duration time) {
    return leader.isPresent() && simulation.now() - leaderSince >= time.toNanos();
  }
}
