package fleet.engine.state;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The decisions in the store: which machine is to do what with which unit. Owned by the state
 * thread.
 */
public final class StoredSchedule {

  private final StoredFiles files;
  private final Map<UnitName, ScheduledUnit> placed = new HashMap<>();
  private final UnitIndex byMachine = new UnitIndex();
  private final Map<UnitName, Placement> placements = new HashMap<>();
  private final Map<UnitName, Global> globals = new HashMap<>();

  /**
   * The key {@code placement/<unit>}.
   *
   * @param why the reason for this machine
   */
  public record Placement(String machine, long revision, String why) {}

  private record Global(ScheduleRecord record, long revision) {}

  StoredSchedule(StoredFiles files) {
    this.files = files;
  }

  // ---- entries

  void put(String machine, UnitName name, ScheduleRecord record, long revision) {
    // A unit still on a machine needs its file, even if it was replaced or destroyed since.
    UnitFile _ = files.use(record.sha256(), name);
    ScheduleEntry entry = entry(name, record, false, revision);
    ScheduledUnit before = placed.put(name, new ScheduledUnit(machine, record, entry));
    if (before != null) {
      byMachine.forget(before.machine(), name);
      files.release(before.record().sha256());
    }
    byMachine.note(machine, name);
  }

  /** An entry is gone; false if the unit has been given to another machine already. */
  boolean remove(String machine, UnitName name) {
    ScheduledUnit before = placed.get(name);
    if (before == null || !before.machine().equals(machine)) {
      return false;
    }
    placed.remove(name);
    byMachine.forget(machine, name);
    files.release(before.record().sha256());
    return true;
  }

  /** Takes over a file that the unit lacked. */
  void mend(UnitName name, String sha256) {
    placed.computeIfPresent(
        name, (_, before) -> before.record().sha256().equals(sha256) ? withFile(before) : before);
  }

  private ScheduledUnit withFile(ScheduledUnit before) {
    ScheduleEntry entry = before.entry();
    return new ScheduledUnit(
        before.machine(),
        before.record(),
        entry(entry.unit(), before.record(), false, entry.revision()));
  }

  private ScheduleEntry entry(UnitName name, ScheduleRecord record, boolean global, long revision) {
    return new ScheduleEntry(
        name,
        record.incarnation(),
        files.peek(record.sha256()),
        record.target(),
        record.restartCounter(),
        global,
        revision,
        record.overcommit(),
        record.require());
  }

  public Optional<ScheduledUnit> of(UnitName name) {
    return Optional.ofNullable(placed.get(name));
  }

  public Collection<ScheduledUnit> all() {
    return Collections.unmodifiableCollection(placed.values());
  }

  public Set<UnitName> unitsOn(String machine) {
    return byMachine.of(machine);
  }

  public boolean hasUnits(String machine) {
    return count(machine) > 0;
  }

  int count(String machine) {
    return byMachine.count(machine);
  }

  Set<String> machines() {
    return byMachine.keys();
  }

  /** Whether this is the unit's present entry, and not an earlier one. */
  boolean isCurrent(String machine, UnitName unit, long revision) {
    return of(unit)
        .filter(entry -> entry.machine().equals(machine) && entry.entry().revision() == revision)
        .isPresent();
  }

  /** The start that an entry asks for, if it is still the one that is known. */
  OptionalLong restartCounter(String machine, UnitName unit, long revision) {
    if (isCurrent(machine, unit, revision)) {
      return OptionalLong.of(of(unit).orElseThrow().record().restartCounter());
    }
    Global global = globals.get(unit);
    return global != null && global.revision() == revision
        ? OptionalLong.of(global.record().on(machine).restartCounter())
        : OptionalLong.empty();
  }

  // ---- the keys that come and go with them

  /** Takes it over, and returns the reason for it. */
  String putPlacement(UnitName name, Entry entry, Interner interner) {
    // Known before it is read, so that it does not count as absent if that fails.
    placements.put(name, new Placement("", entry.modified(), ""));
    PlacementRecord record = PlacementRecord.of(entry);
    String why = interner.of(record.reason());
    placements.put(name, new Placement(interner.of(record.machine()), entry.modified(), why));
    return why;
  }

  void removePlacement(UnitName name) {
    placements.remove(name);
  }

  /** The key that says where a unit is placed, which comes and goes with its entry. */
  public Optional<Placement> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit));
  }

  /** Why a unit was given the machine that it is placed on; empty if that is not known. */
  public String reason(UnitName unit) {
    return placement(unit).map(Placement::why).orElse("");
  }

  // ---- global units

  void putGlobal(UnitName name, ScheduleRecord record, long revision) {
    UnitFile _ = files.use(record.sha256(), name);
    record.update().ifPresent(update -> files.use(update.sha256(), name));
    removeGlobal(name);
    globals.put(name, new Global(record, revision));
  }

  void removeGlobal(UnitName name) {
    Global before = globals.remove(name);
    if (before != null) {
      files.release(before.record().sha256());
      before.record().update().ifPresent(update -> files.release(update.sha256()));
    }
  }

  /** The entry of a global unit for one machine. */
  public Optional<ScheduleEntry> global(UnitName name, String machine) {
    return Optional.ofNullable(globals.get(name))
        .map(global -> entry(name, global.record().on(machine), true, global.revision()));
  }

  /** The entry of a global unit by its main content. */
  public Optional<ScheduleEntry> global(UnitName name) {
    return Optional.ofNullable(globals.get(name))
        .map(global -> entry(name, global.record(), true, global.revision()));
  }

  /** The entry of a global unit by the content of its update; empty if there is none. */
  public Optional<ScheduleEntry> globalUpdate(UnitName name) {
    return globalRecord(name)
        .flatMap(ScheduleRecord::update)
        .flatMap(update -> global(name, update.upTo()));
  }

  public OptionalLong globalRevision(UnitName name) {
    Global global = globals.get(name);
    return global == null ? OptionalLong.empty() : OptionalLong.of(global.revision());
  }

  public Optional<ScheduleRecord> globalRecord(UnitName name) {
    return Optional.ofNullable(globals.get(name)).map(Global::record);
  }

  /** Units that a machine is to run and whose file is not there. */
  Set<UnitName> lackingFiles(String machine) {
    Set<UnitName> lacking = new HashSet<>();
    if (!files.lacksAny()) {
      return lacking;
    }
    for (UnitName unit : unitsOn(machine)) {
      of(unit).map(ScheduledUnit::record).filter(this::lacksFile).ifPresent(_ -> lacking.add(unit));
    }
    globals.forEach((unit, global) -> {
      if (lacksFile(global.record().on(machine))) {
        lacking.add(unit);
      }
    });
    return lacking;
  }

  /** An entry that is to be stopped needs no file. */
  private boolean lacksFile(ScheduleRecord record) {
    return record.target() != TargetState.STOPPING && !files.has(record.sha256());
  }

  public Set<UnitName> globals() {
    return Collections.unmodifiableSet(globals.keySet());
  }
}
