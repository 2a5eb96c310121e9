package fleet.engine;

import fleet.coordination.EngineCoordination;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ScheduledUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sends each machine the changes of its own schedule, once a turn, and nothing to other machines.
 * Owned by the state thread.
 */
final class ScheduleDispatch {

  private final ClusterState cluster;
  private final EngineCoordination coordination;
  private final Map<String, Set<UnitName>> touched = new HashMap<>();
  private final Set<UnitName> touchedGlobals = new LinkedHashSet<>();
  private final Set<String> toGreet = new HashSet<>();

  ScheduleDispatch(ClusterState cluster, EngineCoordination coordination) {
    this.cluster = cluster;
    this.coordination = coordination;
  }

  void touched(String machine, UnitName unit) {
    touched.computeIfAbsent(machine, _ -> new LinkedHashSet<>()).add(unit);
  }

  void touchedGlobal(UnitName unit) {
    touchedGlobals.add(unit);
  }

  /** The machine needs its whole schedule. */
  void greet(String machine) {
    toGreet.add(machine);
  }

  /**
   * Sends what has changed.
   *
   * @param settled whether all that was decided is known here. If not, a new machine gets nothing
   *     yet: its schedule would still have units that are being given to others, and would lack
   *     units that are being given to it, which it may know from the store and run already
   */
  void send(boolean settled) {
    Set<String> later = new HashSet<>();
    for (String machine : concerned()) {
      Optional<Machine> there = cluster.machines().of(machine);
      if (there.isPresent()) {
        if (!toGreet.contains(machine)) {
          sendDelta(machine);
        } else if (settled) {
          sendSnapshot(there.get());
        } else {
          later.add(machine);
        }
      }
    }
    toGreet.clear();
    toGreet.addAll(later);
    touched.clear();
    touchedGlobals.clear();
  }

  private Set<String> concerned() {
    Set<String> machines = new TreeSet<>(toGreet);
    machines.addAll(touched.keySet());
    if (!touchedGlobals.isEmpty()) {
      cluster.machines().all().forEach(machine -> machines.add(machine.id()));
    }
    return machines;
  }

  private void sendSnapshot(Machine machine) {
    Set<UnitName> alone = cluster.leftAlone(machine.id());
    coordination.snapshot(machine, all(machine.id(), alone), alone);
  }

  private void sendDelta(String machine) {
    Set<UnitName> concerned = new LinkedHashSet<>(touchedGlobals);
    concerned.addAll(touched.getOrDefault(machine, Set.of()));
    if (concerned.isEmpty()) {
      return;
    }
    Set<UnitName> alone = cluster.leftAlone(machine);
    concerned.removeAll(alone);
    List<ScheduleEntry> changed = new ArrayList<>();
    Set<UnitName> removed = new HashSet<>();
    for (UnitName unit : concerned) {
      entry(machine, unit).ifPresentOrElse(changed::add, () -> removed.add(unit));
    }
    coordination.delta(machine, changed, removed, alone);
  }

  private Optional<ScheduleEntry> entry(String machine, UnitName unit) {
    return cluster
        .schedule()
        .of(unit)
        .filter(placed -> placed.machine().equals(machine))
        .map(ScheduledUnit::entry)
        .or(() -> cluster.schedule().global(unit, machine));
  }

  private Collection<ScheduleEntry> all(String machine, Set<UnitName> alone) {
    List<ScheduleEntry> entries = new ArrayList<>();
    for (UnitName unit : cluster.schedule().unitsOn(machine)) {
      cluster.schedule().of(unit).map(ScheduledUnit::entry).ifPresent(entries::add);
    }
    for (UnitName unit : cluster.schedule().globals()) {
      entry(machine, unit).filter(ScheduleEntry::global).ifPresent(entries::add);
    }
    entries.removeIf(entry -> alone.contains(entry.unit()));
    return entries;
  }
}
