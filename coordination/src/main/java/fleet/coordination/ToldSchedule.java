package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A machine's schedule as one way of coordination has told it. For one thread. */
final class ToldSchedule {

  private final Map<UnitName, ScheduleEntry> entries = new HashMap<>();
  private Optional<Machine> machine = Optional.empty();
  private Set<UnitName> leftAlone = Set.of();

  /** Whether the whole of it has been told. */
  boolean isComplete() {
    return machine.isPresent();
  }

  void snapshot(Machine seen, Collection<ScheduleEntry> all, Set<UnitName> alone) {
    machine = Optional.of(seen);
    leftAlone = alone;
    entries.clear();
    all.forEach(entry -> entries.put(entry.unit(), entry));
  }

  void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
    leftAlone = alone;
    removed.forEach(entries::remove);
    changed.forEach(entry -> entries.put(entry.unit(), entry));
  }

  /** Whether there is an entry of the unit, readable or not. */
  boolean has(UnitName unit) {
    return entries.containsKey(unit) || leftAlone.contains(unit);
  }

  /** Whether both have the same entries, of the same revisions. */
  boolean agreesWith(ToldSchedule other) {
    return entries.size() == other.entries.size()
        && entries.values().stream().allMatch(entry -> other.has(entry));
  }

  private boolean has(ScheduleEntry entry) {
    ScheduleEntry own = entries.get(entry.unit());
    return own != null && own.revision() == entry.revision();
  }

  void passOn(ScheduleFollower follower) {
    machine.ifPresent(seen -> follower.snapshot(seen, List.copyOf(entries.values()), leftAlone));
  }
}
