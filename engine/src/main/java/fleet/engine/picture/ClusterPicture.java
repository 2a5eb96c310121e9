package fleet.engine.picture;

import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that the leading engine knows: what the registry holds, and what machines report. Changed in
 * place, key by key and report by report. Owned by the engine's event thread.
 *
 * <p>What is stored comes in through {@link #written} and {@link #deleted} alone, never from the
 * engine's own decisions: so the picture shows nothing that is not durable.
 */
public final class ClusterPicture {

  private final StoredFiles files = new StoredFiles();
  private final Map<UnitName, KnownUnit> units = new TreeMap<>();
  private final Map<UnitName, Placed> schedule = new HashMap<>();
  private final Map<UnitName, Global> globals = new HashMap<>();
  private final Map<String, SettingsRecord> settings = new HashMap<>();
  private final Map<String, Machine> machines = new TreeMap<>();
  private final Map<UnitName, Map<String, UnitState>> states = new TreeMap<>();
  private final Map<UnitName, Map<String, Refusal>> refusals = new HashMap<>();
  private final Map<UnitName, Long> gone = new HashMap<>();

  private record Global(ScheduleRecord record, long revision) {}

  // ---- what the registry holds

  /** Takes over a key of the registry; returns what it is about. */
  public Touched written(Entry entry) {
    String key = entry.key();
    if (key.startsWith(Keys.FILES)) {
      files.written(entry);
      return new Touched.Nothing();
    }
    if (key.startsWith(Keys.UNITS)) {
      UnitName name = Keys.unitOf(key);
      putUnit(name, UnitRecord.of(entry));
      return new Touched.OfUnit(name);
    }
    if (key.startsWith(Keys.SCHEDULES)) {
      return putPlaced(
          Keys.machineOf(key), Keys.unitOf(key), ScheduleRecord.of(entry), entry.modified());
    }
    if (key.startsWith(Keys.GLOBALS)) {
      UnitName name = Keys.unitOf(key);
      putGlobal(name, ScheduleRecord.of(entry), entry.modified());
      return new Touched.Global(name);
    }
    if (key.startsWith(Keys.SETTINGS)) {
      String machine = Keys.machineOf(key);
      settings.put(machine, SettingsRecord.of(entry));
      return new Touched.OfMachine(machine);
    }
    return new Touched.Nothing();
  }

  /** Takes over that a key is gone; returns what it was about. */
  public Touched deleted(String key) {
    if (key.startsWith(Keys.FILES)) {
      files.deleted(key.substring(Keys.FILES.length()));
      return new Touched.Nothing();
    }
    if (key.startsWith(Keys.UNITS)) {
      UnitName name = Keys.unitOf(key);
      forgetUnit(name);
      return new Touched.OfUnit(name);
    }
    if (key.startsWith(Keys.SCHEDULES)) {
      UnitName name = Keys.unitOf(key);
      String machine = Keys.machineOf(key);
      Placed placed = schedule.get(name);
      if (placed != null && placed.machine().equals(machine)) {
        schedule.remove(name);
        files.release(placed.record().sha256());
        gone.remove(name);
      }
      return new Touched.Scheduled(name, machine);
    }
    if (key.startsWith(Keys.GLOBALS)) {
      UnitName name = Keys.unitOf(key);
      forgetGlobal(name);
      return new Touched.Global(name);
    }
    if (key.startsWith(Keys.SETTINGS)) {
      settings.remove(Keys.machineOf(key));
      return new Touched.OfMachine(Keys.machineOf(key));
    }
    return new Touched.Nothing();
  }

  private void putUnit(UnitName name, UnitRecord record) {
    forgetUnit(name);
    UnitFile file = files.use(record.sha256());
    Unit unit =
        new Unit(
            name,
            record.incarnation(),
            file,
            record.desired(),
            record.restartCounter(),
            record.by(),
            record.created());
    units.put(name, new KnownUnit(unit, record.sha256(), Requirements.of(name, file)));
  }

  private void forgetUnit(UnitName name) {
    KnownUnit before = units.remove(name);
    if (before != null) {
      files.release(before.sha256());
    }
  }

  private Touched putPlaced(String machine, UnitName name, ScheduleRecord record, long revision) {
    // What is still on a machine needs its file, though the unit may be another or none by now.
    UnitFile _ = files.use(record.sha256());
    ScheduleEntry entry = entry(name, record, false, revision);
    Placed before = schedule.put(name, new Placed(machine, record, entry));
    if (before != null) {
      files.release(before.record().sha256());
    }
    return new Touched.Scheduled(name, machine);
  }

  private void putGlobal(UnitName name, ScheduleRecord record, long revision) {
    UnitFile _ = files.use(record.sha256());
    forgetGlobal(name);
    globals.put(name, new Global(record, revision));
  }

  private void forgetGlobal(UnitName name) {
    Global before = globals.remove(name);
    if (before != null) {
      files.release(before.record().sha256());
    }
  }

  private ScheduleEntry entry(UnitName name, ScheduleRecord record, boolean global, long revision) {
    return new ScheduleEntry(
        name,
        record.incarnation(),
        files.peek(record.sha256()),
        record.target(),
        record.restartCounter(),
        global,
        revision);
  }

  // ---- what machines report

  /** A machine is there, its states still to be told. */
  public void present(Machine machine) {
    Machine before = machines.put(machine.id(), machine);
    if (before == null) {
      forgetReports(machine.id());
    }
  }

  /** A machine went; returns the units that it had reported. */
  public Set<UnitName> absent(String machine) {
    machines.remove(machine);
    return forgetReports(machine);
  }

  private Set<UnitName> forgetReports(String machine) {
    Set<UnitName> reported = new HashSet<>();
    states.forEach((unit, byMachine) -> {
      if (byMachine.remove(machine) != null) {
        reported.add(unit);
      }
    });
    states.values().removeIf(Map::isEmpty);
    refusals.values().forEach(byMachine -> byMachine.remove(machine));
    return reported;
  }

  /** Takes over a unit's state; false where it was known already. */
  public boolean stated(UnitState state) {
    UnitState before =
        states.computeIfAbsent(state.unit(), _ -> new TreeMap<>()).put(state.machine(), state);
    return !state.equals(before);
  }

  /**
   * A machine does not have a unit.
   *
   * @param revision of the entry that this carries out
   * @return false where it was not known to have it
   */
  public boolean gone(String machine, UnitName unit, Incarnation incarnation, long revision) {
    if (concerns(machine, unit, revision)) {
      gone.put(unit, revision);
    }
    Map<String, UnitState> byMachine = states.getOrDefault(unit, Map.of());
    UnitState state = byMachine.get(machine);
    if (state == null || !state.incarnation().equals(incarnation)) {
      return false;
    }
    byMachine.remove(machine);
    if (byMachine.isEmpty()) {
      states.remove(unit);
    }
    return true;
  }

  /** Whether a report speaks of the entry as it is now, and not of one before. */
  private boolean concerns(String machine, UnitName unit, long revision) {
    Placed placed = schedule.get(unit);
    return placed != null
        && placed.machine().equals(machine)
        && placed.entry().revision() == revision;
  }

  /** A machine does not take a unit, as it says of one entry. */
  public void refused(AgentReport.Refused refusal, String machine) {
    UnitName unit = refusal.unit();
    Placed placed = schedule.get(unit);
    if (placed == null || !concerns(machine, unit, refusal.revision())) {
      return;
    }
    refusals
        .computeIfAbsent(unit, _ -> new HashMap<>())
        .put(
            machine,
            new Refusal(refusal.incarnation(), placed.record().restartCounter(), refusal.why()));
    gone.put(unit, refusal.revision());
  }

  /** A name that a machine refused is free there. */
  public void freed(String machine, UnitName unit) {
    refusals.getOrDefault(unit, new HashMap<>()).remove(machine);
  }

  // ---- what is known

  public Optional<KnownUnit> unit(UnitName name) {
    return Optional.ofNullable(units.get(name));
  }

  public Collection<KnownUnit> units() {
    return Collections.unmodifiableCollection(units.values());
  }

  public Optional<Placed> placed(UnitName name) {
    return Optional.ofNullable(schedule.get(name));
  }

  public Collection<Placed> schedule() {
    return Collections.unmodifiableCollection(schedule.values());
  }

  public Optional<ScheduleEntry> global(UnitName name) {
    return Optional.ofNullable(globals.get(name))
        .map(global -> entry(name, global.record(), true, global.revision()));
  }

  public Optional<ScheduleRecord> globalRecord(UnitName name) {
    return Optional.ofNullable(globals.get(name)).map(Global::record);
  }

  public Set<UnitName> globals() {
    return Collections.unmodifiableSet(globals.keySet());
  }

  /** The machines that are present, with the metadata in force. */
  public Collection<Machine> machines() {
    return machines.values().stream().map(this::inForce).toList();
  }

  public Optional<Machine> machine(String id) {
    return Optional.ofNullable(machines.get(id)).map(this::inForce);
  }

  private Machine inForce(Machine machine) {
    SettingsRecord set = settings.get(machine.id());
    return set == null ? machine : machine.withMetadata(set.applyTo(machine.metadata()));
  }

  public Collection<Map<String, UnitState>> states() {
    return Collections.unmodifiableCollection(states.values());
  }

  public Map<String, UnitState> states(UnitName unit) {
    return Collections.unmodifiableMap(states.getOrDefault(unit, Map.of()));
  }

  public @Nullable UnitState state(UnitName unit, String machine) {
    return states.getOrDefault(unit, Map.of()).get(machine);
  }

  /** Whether the machine that is to have the unit has told, of this very entry, that it has not. */
  public boolean isGone(Placed placed) {
    return Long.valueOf(placed.entry().revision()).equals(gone.get(placed.entry().unit()));
  }

  /** Why machines would not take the unit as it is now, by machine. */
  public Map<String, String> refusals(KnownUnit known) {
    Map<String, String> why = new TreeMap<>();
    refusals
        .getOrDefault(known.unit().name(), Map.of())
        .forEach((machine, refusal) -> {
          if (refusal.concerns(known)) {
            why.put(machine, refusal.why());
          }
        });
    return why;
  }

  /** Files that no unit names any more, with the revision that wrote them last. */
  public StoredFiles files() {
    return files;
  }
}
