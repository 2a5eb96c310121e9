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

/** A machine's schedule as one transport has delivered it to the agent. For one thread. */
public final class DeliveredSchedule {

  private final Map<UnitName, ScheduleEntry> entries = new HashMap<>();
  private Optional<Machine> machine = Optional.empty();
  private Set<UnitName> leftAlone = Set.of();

  /** Whether all of it was delivered. */
  boolean isComplete() {
    return machine.isPresent();
  }

  /** The machine as the cluster sees it; empty before the schedule is complete. */
  public Optional<Machine> machine() {
    return machine;
  }

  public Collection<ScheduleEntry> entries() {
    return entries.values();
  }

  public Optional<ScheduleEntry> entry(UnitName unit) {
    return Optional.ofNullable(entries.get(unit));
  }

  public Set<UnitName> leftAlone() {
    return leftAlone;
  }

  /** Whether there is an entry of the unit, readable or not. */
  public boolean has(UnitName unit) {
    return entries.containsKey(unit) || leftAlone.contains(unit);
  }

  /** Takes over a whole schedule. */
  public void snapshot(Machine seen, Collection<ScheduleEntry> all, Set<UnitName> alone) {
    machine = Optional.of(seen);
    entries.clear();
    delta(all, Set.of(), alone);
  }

  /** Takes over what has changed. */
  void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
    leftAlone = alone;
    removed.forEach(entries::remove);
    changed.forEach(entry -> entries.put(entry.unit(), entry));
  }

  /**
   * Takes over changes, and passes them on: the whole schedule if the machine's description has
   * changed, nothing if nothing has.
   */
  public void tell(
      Machine seen,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> alone,
      ScheduleFollower follower) {
    boolean news = !changed.isEmpty() || !removed.isEmpty() || !alone.equals(leftAlone);
    delta(changed, removed, alone);
    if (machine.filter(seen::equals).isEmpty()) {
      machine = Optional.of(seen);
      passOn(follower);
    } else if (news) {
      follower.delta(changed, removed, alone);
    }
  }

  /** Passes on the whole schedule, if it is complete. */
  public void passOn(ScheduleFollower follower) {
    machine.ifPresent(seen -> follower.snapshot(seen, List.copyOf(entries.values()), leftAlone));
  }

  /** Whether both have the same entries, of the same revisions. */
  boolean agreesWith(DeliveredSchedule other) {
    return entries.size() == other.entries.size()
        && entries.values().stream().allMatch(entry -> other.has(entry));
  }

  private boolean has(ScheduleEntry entry) {
    return entry(entry.unit()).filter(own -> own.revision() == entry.revision()).isPresent();
  }
}
