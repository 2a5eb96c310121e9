package fleet.agent;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.scheduler.GlobalUnits;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of this machine: the units placed here, and the global ones that fit. Owned by the
 * agent's event thread.
 */
final class Schedule {

  private final Map<UnitName, ScheduleEntry> placed = new HashMap<>();
  private final Map<UnitName, ScheduleEntry> globals = new HashMap<>();
  private Set<UnitName> fitting = Set.of();
  private Set<UnitName> leftAlone = Set.of();
  private @Nullable Machine machine;

  /** Whether a schedule has arrived yet; before that, nothing may be done. */
  boolean isKnown() {
    return machine != null;
  }

  Optional<ScheduleEntry> entry(UnitName unit) {
    ScheduleEntry entry = placed.get(unit);
    if (entry == null && fitting.contains(unit)) {
      entry = globals.get(unit);
    }
    return Optional.ofNullable(entry);
  }

  /** Whether the unit's entry cannot be read: then the unit is left alone. */
  boolean isLeftAlone(UnitName unit) {
    return leftAlone.contains(unit);
  }

  Set<UnitName> names() {
    Set<UnitName> names = new HashSet<>(placed.keySet());
    names.addAll(globals.keySet());
    return names;
  }

  /** Takes over a whole schedule; returns all names that it or the one before has. */
  Set<UnitName> replace(Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> alone) {
    Set<UnitName> touched = names();
    touched.addAll(leaveAlone(alone));
    machine = seen;
    placed.clear();
    globals.clear();
    entries.forEach(this::put);
    judgeGlobals();
    touched.addAll(names());
    return touched;
  }

  /** Takes over changes; returns the names whose entries may be others now. */
  Set<UnitName> change(
      Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
    Set<UnitName> touched = leaveAlone(alone);
    touched.addAll(removed);
    for (UnitName unit : removed) {
      placed.remove(unit);
      globals.remove(unit);
    }
    for (ScheduleEntry entry : changed) {
      put(entry);
      touched.add(entry.unit());
    }
    if (!globals.isEmpty()) {
      judgeGlobals();
      touched.addAll(globals.keySet());
    }
    return touched;
  }

  /** Returns those that were left alone until now, or are so from now on. */
  private Set<UnitName> leaveAlone(Set<UnitName> units) {
    Set<UnitName> touched = new HashSet<>(leftAlone);
    touched.removeAll(units);
    units.stream().filter(unit -> !leftAlone.contains(unit)).forEach(touched::add);
    leftAlone = OrderedCopy.of(units);
    return touched;
  }

  private void put(ScheduleEntry entry) {
    (entry.global() ? globals : placed).put(entry.unit(), entry);
    (entry.global() ? placed : globals).remove(entry.unit());
  }

  /**
   * Never throws, whatever text a unit has, because reading requirements does not throw: otherwise
   * no global unit would fit any more, and the agent would remove running ones.
   */
  private void judgeGlobals() {
    if (machine != null) {
      fitting =
          GlobalUnits.of(machine, overcommit(), placed.values(), globals.values()).applicable();
    }
  }

  /** Taken from the newest entry: the leader rewrites the others if it changes. */
  private Overcommit overcommit() {
    return globals.values().stream()
        .max(Comparator.comparingLong(ScheduleEntry::revision))
        .map(ScheduleEntry::overcommit)
        .orElse(Overcommit.NONE);
  }
}
