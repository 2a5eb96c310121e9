package fleet.engine;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Standing;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Maintenance;
import fleet.engine.state.ClusterState;
import fleet.engine.state.StoredDepartures;
import fleet.engine.state.StoredOperations;
import fleet.registry.records.PauseRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The absent machines. Some are awaited, some are lost; the units of lost ones go elsewhere unless
 * rescheduling is paused. Owned by the state thread.
 */
final class MissingMachines {

  private final ClusterState cluster;
  private final Map<String, String> awaited = new HashMap<>();
  private final Set<String> lost = new HashSet<>();
  private Optional<AbsentMachines.Pause> pause = Optional.empty();

  MissingMachines(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** A machine is back; false if it was not missing. */
  boolean found(String machine) {
    boolean waitedFor = awaited.remove(machine) != null;
    return lost.remove(machine) || waitedFor;
  }

  /**
   * The units of a machine stay with it for now.
   *
   * @param why said of these units
   */
  void await(String machine, String why) {
    awaited.put(machine, why);
  }

  void lose(String machine) {
    awaited.remove(machine);
    lost.add(machine);
  }

  Set<String> awaited() {
    return Collections.unmodifiableSet(awaited.keySet());
  }

  /** The maintenance window of an absent machine: its units stay with it until that ends. */
  Optional<Maintenance> maintenance(String machine) {
    return isGivenUp(machine) ? Optional.empty() : cluster.machines().maintenance(machine);
  }

  /** Whether a pause has an effect: on the units of absent machines, or on an operation. */
  boolean needPause() {
    return awaited.keySet().stream().anyMatch(cluster.schedule()::hasUnits)
        || lost.stream().anyMatch(cluster.schedule()::hasUnits)
        || turnsNeedPause();
  }

  /** No entry of the schedule names the machines of global units. */
  private boolean turnsNeedPause() {
    return pause.filter(held -> cluster.machines().count() < held.of()).isPresent()
        && cluster.operations().all().stream().anyMatch(StoredOperations.Stored::takesTurns);
  }

  /**
   * Why global units are not restarted or rolled out on further machines: absent ones would get
   * their turns unseen, and start all at once when they come. Empty if nothing is in the way.
   */
  Optional<String> whyTurnsWait() {
    return pause
        .map(AbsentMachines.Pause::text)
        .or(() -> awaited.values().stream().min(Comparator.naturalOrder()));
  }

  /** Whether a machine was given up, even if its units stay with it for now. */
  boolean isGivenUp(String machine) {
    return lost.contains(machine);
  }

  /** Whether a machine's units go elsewhere. */
  boolean isLost(String machine) {
    return pause.isEmpty() && lost.contains(machine);
  }

  /** Sets the pause, during which units of lost machines stay with them; empty ends it. */
  void pause(Optional<AbsentMachines.Pause> now) {
    pause = now;
  }

  Optional<AbsentMachines.Pause> pause() {
    return pause;
  }

  static Optional<AbsentMachines.Pause> inForce(Optional<ClusterState.StoredPause> stored) {
    return stored
        .map(ClusterState.StoredPause::record)
        .filter(PauseRecord::isInForce)
        .map(MissingMachines::pause);
  }

  static AbsentMachines.Pause pause(PauseRecord record) {
    return new AbsentMachines.Pause(
        record.since(),
        record.until(),
        Math.toIntExact(record.vanished()),
        Math.toIntExact(record.of()));
  }

  /** The state of missing machines, for a copy. */
  record Memory(
      Map<String, String> awaited, Set<String> lost, Optional<AbsentMachines.Pause> pause) {}

  Memory memory() {
    return new Memory(OrderedCopy.of(awaited), OrderedCopy.of(lost), pause);
  }

  void remember(Memory memory) {
    awaited.putAll(memory.awaited());
    lost.addAll(memory.lost());
    pause = memory.pause();
  }

  /** Why the units of an absent machine stay with it; empty if they do not. */
  Optional<String> whyKept(String machine) {
    if (cluster.isThere(machine)) {
      return Optional.empty();
    }
    Optional<Maintenance> window = maintenance(machine);
    if (window.isPresent()) {
      return Optional.of(
          "machine %s is in maintenance until %s, as %s asked"
              .formatted(machine, window.get().until(), window.get().by()));
    }
    Optional<String> waits = Optional.ofNullable(awaited.get(machine));
    return waits.or(() -> pause.map(held -> "machine " + machine + " is lost; " + held.text()));
  }

  AbsentMachines absences() {
    List<AbsentMachines.Absent> machines = new ArrayList<>();
    cluster
        .missing()
        .forEach((machine, units) -> machines.add(absent(machine, units, standing(machine))));
    for (String machine : cluster.machines().cordonedAndAway()) {
      if (!cluster.schedule().hasUnits(machine) && !cluster.isThere(machine)) {
        machines.add(
            absent(
                machine,
                0,
                maintenance(machine).isPresent() ? Standing.MAINTENANCE : Standing.CORDONED));
      }
    }
    machines.sort(Comparator.comparing(AbsentMachines.Absent::machine));
    return new AbsentMachines(machines, pause, departed());
  }

  private List<AbsentMachines.Departed> departed() {
    return cluster.departed().values().stream()
        .filter(stored -> !cluster.isThere(stored.id()))
        .map(StoredDepartures.StoredDeparture::record)
        .filter(record -> !record.removed() && !record.leads())
        .map(record -> new AbsentMachines.Departed(record.machine(), record.left(), record.since()))
        .toList();
  }

  private AbsentMachines.Absent absent(String machine, int units, Standing standing) {
    return new AbsentMachines.Absent(machine, units, standing, maintenance(machine));
  }

  private Standing standing(String machine) {
    if (maintenance(machine).isPresent()) {
      return Standing.MAINTENANCE;
    }
    if (awaited.containsKey(machine)) {
      return Standing.AWAITED;
    }
    return pause.isPresent() ? Standing.HELD : Standing.LOST;
  }
}
