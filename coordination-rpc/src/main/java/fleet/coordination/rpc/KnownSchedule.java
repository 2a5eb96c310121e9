package fleet.coordination.rpc;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's schedule as its agent has been told: put together from what the leader sends, kept
 * from one stream to the next. Belongs to its loop.
 */
final class KnownSchedule {

  private static final Logger log = LoggerFactory.getLogger(KnownSchedule.class);

  private final ScheduleFollower follower;
  private final Map<UnitName, ScheduleEntry> entries = new HashMap<>();
  private final Map<UnitName, String> unreadable = new HashMap<>();

  /** The units whose entries the leader itself cannot read. */
  private Set<UnitName> leftAlone = Set.of();

  private String store = "";
  private @Nullable Machine told;

  /** The received part of a schedule that is not complete yet. */
  private Part part = new Part();

  /** Whether something has come of this stream that is complete. */
  private boolean begun;

  private static final class Part {
    private final Map<UnitName, Optional<ScheduleEntry>> changes = new LinkedHashMap<>();
    private final Map<UnitName, String> unreadable = new HashMap<>();
    private Optional<Machine> machine = Optional.empty();
    private Optional<Set<UnitName>> leftAlone = Optional.empty();
    private boolean anew;
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
    return entries.values().stream()
        .map(entry ->
            Known.newBuilder().setUnit(entry.unit().value()).setRevision(entry.revision()).build())
        .toList();
  }

  boolean has(UnitName unit) {
    return entries.containsKey(unit) || unreadable.containsKey(unit) || leftAlone.contains(unit);
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
   * @return the units concerned, where it was; empty where more is to come
   * @throws MalformedMessageException where it cannot be read at all
   */
  Optional<Set<UnitName>> take(String of, Schedule message) throws MalformedMessageException {
    ScheduleMessages.Change change = ScheduleMessages.change(message, new HashMap<>());
    part.anew |= message.getAnew();
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

  private Set<UnitName> takeOver(Part complete) {
    Set<UnitName> aloneBefore = alone();
    Set<UnitName> concerned = new HashSet<>(complete.changes.keySet());
    concerned.addAll(aloneBefore);
    if (complete.anew) {
      concerned.addAll(entries.keySet());
      entries.clear();
      leftAlone = Set.of();
    }
    if (complete.anew || !begun) {
      // The leader did not hear of them, and says of one that is scheduled no more nothing.
      unreadable.clear();
    }
    begun = true;
    List<ScheduleEntry> changed = new ArrayList<>();
    Set<UnitName> removed = new HashSet<>();
    complete.changes.forEach((unit, change) -> {
      unreadable.remove(unit);
      change.ifPresentOrElse(
          entry -> {
            entries.put(unit, entry);
            changed.add(entry);
          },
          () -> {
            entries.remove(unit);
            removed.add(unit);
          });
    });
    complete.unreadable.forEach((unit, why) -> {
      log.error("coordination: {} is left alone on this machine: {}", unit, why);
      unreadable.put(unit, why);
    });
    leftAlone = complete.leftAlone.orElse(leftAlone);
    tell(complete, changed, removed, !alone().equals(aloneBefore));
    return concerned;
  }

  private Set<UnitName> alone() {
    Set<UnitName> alone = new LinkedHashSet<>(unreadable.keySet());
    alone.addAll(leftAlone);
    return Collections.unmodifiableSet(alone);
  }

  private void tell(
      Part complete, List<ScheduleEntry> changed, Set<UnitName> removed, boolean leftAloneChanged) {
    Machine before = told;
    Machine now = complete.machine.orElse(before);
    if (now == null) {
      return;
    }
    if (complete.anew || !now.equals(before)) {
      told = now;
      follower.snapshot(now, List.copyOf(entries.values()), alone());
    } else if (leftAloneChanged || !changed.isEmpty() || !removed.isEmpty()) {
      follower.delta(changed, removed, alone());
    }
  }
}
