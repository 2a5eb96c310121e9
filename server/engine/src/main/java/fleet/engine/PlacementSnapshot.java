package fleet.engine;

import fleet.cluster.Plan.Change;
import fleet.cluster.Plan.Kind;
import fleet.core.machine.Machine;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The places of units at one moment, to be compared with another.
 *
 * @param units the units that have or want a place, without global ones
 * @param globals which machines run a global unit
 */
record PlacementSnapshot(Map<UnitName, Standing> units, Map<UnitName, SortedSet<String>> globals) {

  /**
   * The place of a unit.
   *
   * @param machine empty if it is on no usable machine
   * @param launched whether it is to run there
   * @param start names the content and the start that were requested
   * @param why it is there, or nowhere
   */
  record Standing(
      Optional<String> machine, boolean wanted, boolean launched, String start, String why) {}

  private static final Standing NOWHERE = new Standing(Optional.empty(), false, false, "", "");

  static PlacementSnapshot of(LiveState state) {
    ClusterState cluster = state.cluster();
    Map<UnitName, Standing> units = new HashMap<>();
    for (KnownUnit known : cluster.units().all()) {
      if (known.wantsPlace() && !known.requirements().global()) {
        UnitName unit = known.unit().name();
        units.put(
            unit, new Standing(Optional.empty(), true, false, "", state.views().whyWaiting(unit)));
      }
    }
    for (ScheduledUnit placed : cluster.schedule().all()) {
      UnitName unit = placed.entry().unit();
      if (cluster.isThere(placed.machine())) {
        units.put(unit, standing(cluster, placed, state.views().placedBecause(unit)));
      }
    }
    Map<UnitName, SortedSet<String>> globals = new TreeMap<>();
    for (Machine machine : cluster.machines().all()) {
      for (UnitName global : state.schedulerState().globalsOn(machine.id())) {
        globals.computeIfAbsent(global, _ -> new TreeSet<>()).add(machine.id());
      }
    }
    return new PlacementSnapshot(units, globals);
  }

  private static Standing standing(ClusterState cluster, ScheduledUnit placed, String why) {
    return new Standing(
        Optional.of(placed.machine()),
        cluster.units().of(placed.entry().unit()).filter(KnownUnit::wantsPlace).isPresent(),
        placed.record().target() == TargetState.LAUNCHED,
        placed.record().incarnation().id() + " " + placed.record().restartCounter(),
        why);
  }

  /** The changes that lead from these standings to others; sorted. */
  List<Change> changes(PlacementSnapshot others) {
    List<Change> changes = new ArrayList<>();
    SortedSet<UnitName> names = new TreeSet<>(units.keySet());
    names.addAll(others.units.keySet());
    for (UnitName unit : names) {
      change(unit, units.getOrDefault(unit, NOWHERE), others.units.getOrDefault(unit, NOWHERE))
          .ifPresent(changes::add);
    }
    SortedSet<UnitName> everywhere = new TreeSet<>(globals.keySet());
    everywhere.addAll(others.globals.keySet());
    for (UnitName unit : everywhere) {
      SortedSet<String> before = globals.getOrDefault(unit, new TreeSet<>());
      SortedSet<String> after = others.globals.getOrDefault(unit, new TreeSet<>());
      after.stream()
          .filter(machine -> !before.contains(machine))
          .forEach(machine ->
              changes.add(new Change(unit, Kind.PLACED, "", machine, "it is global, and fits")));
      before.stream()
          .filter(machine -> !after.contains(machine))
          .forEach(machine ->
              changes.add(
                  new Change(unit, Kind.LEFT, machine, "", "it is global, and fits no longer")));
    }
    return changes;
  }

  private static Optional<Change> change(UnitName unit, Standing before, Standing after) {
    String from = before.machine().orElse("");
    String to = after.machine().orElse("");
    if (to.isEmpty() && after.wanted()) {
      boolean waitedBefore = from.isEmpty() && before.wanted();
      return waitedBefore
          ? Optional.empty()
          : Optional.of(new Change(unit, Kind.UNPLACED, from, "", after.why()));
    }
    if (from.isEmpty()) {
      return to.isEmpty()
          ? Optional.empty()
          : Optional.of(new Change(unit, Kind.PLACED, "", to, after.why()));
    }
    if (to.isEmpty()) {
      return Optional.of(new Change(unit, Kind.LEFT, from, "", "nobody asks for it any more"));
    }
    if (!from.equals(to)) {
      return Optional.of(new Change(unit, Kind.MOVED, from, to, after.why()));
    }
    if (after.launched() && !(before.launched() && before.start().equals(after.start()))) {
      return Optional.of(new Change(unit, Kind.STARTED, from, to, ""));
    }
    return before.launched() && !after.launched()
        ? Optional.of(new Change(unit, Kind.STOPPED, from, to, ""))
        : Optional.empty();
  }
}
