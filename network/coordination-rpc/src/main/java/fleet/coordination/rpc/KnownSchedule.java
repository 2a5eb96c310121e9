package fleet.coordination.rpc;

import fleet.coordination.DeliveredSchedule;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.ScheduleMessages;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Known;
import fleet.rpc.v1.Schedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's schedule at the agent: assembled from the leader's messages, and kept from one
 * stream to the next. Belongs to its loop.
 */
final class KnownSchedule {

  private static final Logger log = LoggerFactory.getLogger(KnownSchedule.class);

  private final ScheduleFollower follower;
  private final DeliveredSchedule told = new DeliveredSchedule();
  private final Map<UnitName, String> unreadable = new HashMap<>();

  /** The units whose entries the leader itself cannot read. */
  private Set<UnitName> leftAlone = Set.of();

  private String store = "";

  /** The received part of a schedule that is not complete yet. */
  private Part part = new Part();

  /** Whether something has come of this stream that is complete. */
  private boolean begun;

  private static final class Part {
    private final Map<UnitName, Optional<ScheduleEntry>> changes = new LinkedHashMap<>();
    private final Map<UnitName, String> unreadable = new HashMap<>();
    private Optional<Machine> machine = Optional.empty();
    private Optional<Set<UnitName>> leftAlone = Optional.empty();
    private boolean isReset;
  }

  KnownSchedule(ScheduleFollower follower) {
    this.follower = follower;
  }

  /** The store that the entries are of; empty before there are any. */
  String store() {
    return store;
  }

  /** The entries, by what wrote them. */
  List<Known> known() {
    return told.entries().stream()
        .map(entry ->
            Known.newBuilder().setUnit(entry.unit().value()).setRevision(entry.revision()).build())
        .toList();
  }

  boolean has(UnitName unit) {
    return told.has(unit);
  }

  /** The next messages are from another stream. */
  void begin() {
    part = new Part();
    begun = false;
  }

  /**
   * Takes over a message, and tells the agent once it is complete.
   *
   * @param of the store that it is of
   * @return the units concerned, if the schedule is complete; empty if more is to come
   * @throws MalformedMessageException if it cannot be read at all
   */
  Optional<Set<UnitName>> take(String of, Schedule message) throws MalformedMessageException {
    ScheduleMessages.Change change = ScheduleMessages.change(message, new HashMap<>());
    part.isReset |= message.getReplacesAll();
    change.entries().forEach(entry -> put(entry.unit(), Optional.of(entry)));
    change.removed().forEach(unit -> put(unit, Optional.empty()));
    change
        .unreadable()
        .forEach((unit, why) -> {
          part.changes.remove(unit);
          part.unreadable.put(unit, why);
        });
    if (message.hasMachine()) {
      part.machine = Optional.of(MachineMessages.machine(message.getMachine()));
    }
    if (message.hasLeftAlone()) {
      Set<UnitName> named = new HashSet<>();
      for (String unit : message.getLeftAlone().getUnitsList()) {
        named.add(UnitNames.of(unit));
      }
      part.leftAlone = Optional.of(named);
    }
    if (message.getMore()) {
      return Optional.empty();
    }
    Part complete = part;
    part = new Part();
    store = of;
    return Optional.of(takeOver(complete));
  }

  private void put(UnitName unit, Optional<ScheduleEntry> entry) {
    part.unreadable.remove(unit);
    part.changes.put(unit, entry);
  }

  private Set<UnitName> takeOver(Part complete) throws MalformedMessageException {
    Machine seen =
        complete
            .machine
            .or(told::machine)
            .orElseThrow(() -> new MalformedMessageException("the schedule is of no machine"));
    Set<UnitName> concerned = new HashSet<>(complete.changes.keySet());
    concerned.addAll(told.leftAlone());
    if (complete.isReset || !begun) {
      // The leader does not know of them, and sends nothing about an unscheduled one.
      unreadable.clear();
    }
    begun = true;
    List<ScheduleEntry> changed = new ArrayList<>();
    Set<UnitName> removed = new HashSet<>();
    complete.changes.forEach((unit, change) -> {
      unreadable.remove(unit);
      change.ifPresentOrElse(changed::add, () -> removed.add(unit));
    });
    complete.unreadable.forEach((unit, why) -> {
      log.error("coordination: {} is left alone on this machine: {}", unit, why);
      unreadable.put(unit, why);
    });
    leftAlone = complete.leftAlone.orElse(complete.isReset ? Set.of() : leftAlone);
    if (complete.isReset) {
      told.entries().forEach(entry -> concerned.add(entry.unit()));
      told.snapshot(seen, changed, alone());
      told.passOn(follower);
    } else {
      told.tell(seen, changed, removed, alone(), follower);
    }
    return concerned;
  }

  private Set<UnitName> alone() {
    Set<UnitName> alone = new LinkedHashSet<>(unreadable.keySet());
    alone.addAll(leftAlone);
    return Collections.unmodifiableSet(alone);
  }
}
