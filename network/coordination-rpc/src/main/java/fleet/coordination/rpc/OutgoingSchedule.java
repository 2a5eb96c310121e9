package fleet.coordination.rpc;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.ScheduleMessages;
import fleet.rpc.v1.LeftAlone;
import fleet.rpc.v1.Schedule;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The unsent changes of one agent's schedule: only the latest for each unit, so that the backlog of
 * a slow agent does not grow. Entries are identified by their revisions: the agent does not get
 * again what it has. Belongs to its loop.
 */
final class OutgoingSchedule {

  /** About how many bytes go into a message; a single file may have more. */
  private static final int PART = 256 << 10;

  private final Map<UnitName, Long> known;
  private final Map<UnitName, Optional<ScheduleEntry>> pending = new LinkedHashMap<>();
  private Optional<Machine> machine = Optional.empty();
  private boolean machineTold = true;
  private Set<UnitName> leftAlone = Set.of();
  private boolean leftAloneTold;
  private boolean isReset;
  private boolean begun;

  /**
   * @param known the entries of the agent, by revision
   * @param isReset whether those are void, since they are of another store
   */
  OutgoingSchedule(Map<UnitName, Long> known, boolean isReset) {
    this.known = isReset ? new HashMap<>() : new HashMap<>(known);
    this.isReset = isReset;
  }

  /**
   * The whole schedule as it is to be.
   *
   * @param alone units that are neither told nor taken back, whatever is known of them
   */
  void snapshot(Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> alone) {
    leaveAlone(alone);
    if (machine.filter(seen::equals).isEmpty()) {
      machine = Optional.of(seen);
      machineTold = false;
    }
    Set<UnitName> gone = new HashSet<>(known.keySet());
    gone.addAll(pending.keySet());
    for (ScheduleEntry entry : entries) {
      gone.remove(entry.unit());
      put(entry);
    }
    gone.forEach(this::remove);
  }

  /** Changes; before the first snapshot they count for nothing, as that will have them. */
  void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
    if (machine.isPresent()) {
      leaveAlone(alone);
      removed.forEach(this::remove);
      changed.forEach(this::put);
    }
  }

  private void put(ScheduleEntry entry) {
    Long revision = known.get(entry.unit());
    if (revision != null && revision == entry.revision()) {
      pending.remove(entry.unit());
    } else {
      pending.put(entry.unit(), Optional.of(entry));
    }
  }

  private void leaveAlone(Set<UnitName> units) {
    leftAloneTold &= units.equals(leftAlone);
    leftAlone = units;
    pending.keySet().removeAll(units);
  }

  private void remove(UnitName unit) {
    if (leftAlone.contains(unit)) {
      return;
    }
    if (known.containsKey(unit)) {
      pending.put(unit, Optional.empty());
    } else {
      pending.remove(unit);
    }
  }

  /** Whether the agent has, or is to have, an entry of the unit. */
  boolean has(UnitName unit) {
    Optional<ScheduleEntry> next = pending.get(unit);
    boolean told = next == null ? known.containsKey(unit) : next.isPresent();
    return told || leftAlone.contains(unit);
  }

  /** Whether there is anything to tell. */
  boolean isDue() {
    return machine.isPresent() && (!begun || !machineTold || !leftAloneTold || !pending.isEmpty());
  }

  /** The next message, which counts as told. */
  Schedule take() {
    var part = new ScheduleMessages.Writer();
    Iterator<Map.Entry<UnitName, Optional<ScheduleEntry>>> due = pending.entrySet().iterator();
    while (due.hasNext() && part.size() < PART) {
      Map.Entry<UnitName, Optional<ScheduleEntry>> next = due.next();
      due.remove();
      UnitName unit = next.getKey();
      next.getValue()
          .ifPresentOrElse(
              entry -> {
                part.put(entry);
                known.put(unit, entry.revision());
              },
              () -> {
                part.remove(unit);
                known.remove(unit);
              });
    }
    Schedule.Builder message = part.message().setReplacesAll(isReset);
    isReset = false;
    if (!machineTold) {
      machineTold = true;
      machine.ifPresent(seen -> message.setMachine(MachineMessages.message(seen)));
    }
    // A unit that is no longer left alone has an entry by then, however many messages these take.
    if (!leftAloneTold && pending.isEmpty()) {
      leftAloneTold = true;
      message.setLeftAlone(
          LeftAlone.newBuilder().addAllUnits(leftAlone.stream().map(UnitName::value).toList()));
    }
    // The agent must not act on a part of its first schedule.
    boolean more = !begun && !pending.isEmpty();
    begun = !more;
    return message.setMore(more).build();
  }
}
