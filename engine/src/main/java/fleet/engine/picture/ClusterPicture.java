package fleet.engine.picture;

import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ReportRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final Map<String, Set<UnitName>> scheduled = new HashMap<>();
  private final Map<UnitName, Placement> placements = new HashMap<>();
  private final Map<UnitName, Global> globals = new HashMap<>();
  private final Map<String, SettingsRecord> settings = new HashMap<>();
  private final Map<String, Machine> machines = new TreeMap<>();
  private final Map<UnitName, Map<String, UnitState>> states = new TreeMap<>();
  private final Map<UnitName, Map<String, Refusal>> refusals = new HashMap<>();
  private final Map<String, Set<UnitName>> reported = new HashMap<>();
  private final Map<UnitName, Map<String, Long>> reportKeys = new HashMap<>();
  private final Map<UnitName, Long> gone = new HashMap<>();
  private final Map<String, Set<UnitName>> lackingFile = new HashMap<>();
  private final Faults faults = new Faults();
  private Optional<Entry> leader = Optional.empty();

  private record Global(ScheduleRecord record, long revision) {}

  /** The key {@code placement/<unit>}. */
  public record Placement(String machine, long revision) {}

  // ---- what the registry holds

  /** Takes over a key of the registry; returns what it is about. */
  public Touched written(Entry entry) {
    boolean mended = faults.mended(entry.key());
    try {
      Touched touched = take(entry);
      return mended && touched instanceof Touched.Nothing ? Faults.about(entry.key()) : touched;
    } catch (RegistryException e) {
      return faults.note(entry, e);
    }
  }

  private Touched take(Entry entry) {
    String key = entry.key();
    if (key.startsWith(Keys.FILES)) {
      files.written(entry);
      return fileFound(key.substring(Keys.FILES.length()));
    }
    if (key.startsWith(Keys.UNITS)) {
      UnitName name = Keys.unitOf(key);
      putUnit(name, UnitRecord.of(entry));
      return Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.PLACEMENTS)) {
      UnitName name = Keys.unitOf(key);
      // Known before it is read, so that it is not taken for absent where that fails.
      placements.put(name, new Placement("", entry.modified()));
      placements.put(name, new Placement(PlacementRecord.of(entry).machine(), entry.modified()));
      return new Touched.Nothing();
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
    if (key.startsWith(Keys.MACHINES)) {
      return new Touched.Came(MachineRecord.of(entry).machine());
    }
    if (key.startsWith(Keys.STATES)) {
      AgentReport report = ReportRecord.of(entry).report();
      String machine = Keys.machineOf(key);
      reportKeys
          .computeIfAbsent(report.unit(), _ -> new HashMap<>())
          .put(machine, entry.modified());
      return new Touched.Reported(machine, report);
    }
    if (key.equals(Keys.LEADER)) {
      leader = Optional.of(entry);
      return new Touched.Leader();
    }
    return new Touched.Nothing();
  }

  /** Takes over that a key is gone; returns what it was about. */
  public Touched deleted(String key) {
    boolean mended = faults.mended(key);
    try {
      Touched touched = remove(key);
      return mended && touched instanceof Touched.Nothing ? Faults.about(key) : touched;
    } catch (RegistryException namesNothing) {
      return new Touched.Nothing();
    }
  }

  private Touched remove(String key) {
    if (key.startsWith(Keys.FILES)) {
      files.deleted(key.substring(Keys.FILES.length()));
      return new Touched.Nothing();
    }
    if (key.startsWith(Keys.UNITS)) {
      UnitName name = Keys.unitOf(key);
      forgetUnit(name);
      return Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.PLACEMENTS)) {
      UnitName name = Keys.unitOf(key);
      placements.remove(name);
      return schedule.containsKey(name) ? new Touched.Nothing() : Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.SCHEDULES)) {
      UnitName name = Keys.unitOf(key);
      String machine = Keys.machineOf(key);
      Placed placed = schedule.get(name);
      if (placed != null && placed.machine().equals(machine)) {
        schedule.remove(name);
        unnote(scheduled, machine, name);
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
    if (key.startsWith(Keys.MACHINES)) {
      return new Touched.Went(Keys.machineOf(key));
    }
    if (key.startsWith(Keys.STATES)) {
      UnitName name = Keys.unitOf(key);
      String machine = Keys.machineOf(key);
      reportKeys.computeIfPresent(
          name, (_, keys) -> keys.remove(machine) != null && keys.isEmpty() ? null : keys);
      return new Touched.Withdrawn(machine, name);
    }
    if (key.equals(Keys.LEADER)) {
      leader = Optional.empty();
      return new Touched.Leader();
    }
    return new Touched.Nothing();
  }

  private void putUnit(UnitName name, UnitRecord record) {
    UnitFile file = files.use(record.sha256());
    forgetUnit(name);
    noteLacking(record.sha256(), name);
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
    noteLacking(record.sha256(), name);
    ScheduleEntry entry = entry(name, record, false, revision);
    Placed before = schedule.put(name, new Placed(machine, record, entry));
    if (before != null) {
      unnote(scheduled, before.machine(), name);
      files.release(before.record().sha256());
    }
    note(scheduled, machine, name);
    return new Touched.Scheduled(name, machine);
  }

  private void putGlobal(UnitName name, ScheduleRecord record, long revision) {
    UnitFile _ = files.use(record.sha256());
    noteLacking(record.sha256(), name);
    forgetGlobal(name);
    globals.put(name, new Global(record, revision));
  }

  private void forgetGlobal(UnitName name) {
    Global before = globals.remove(name);
    if (before != null) {
      files.release(before.record().sha256());
    }
  }

  private void noteLacking(String sha256, UnitName unit) {
    if (!files.has(sha256)) {
      note(lackingFile, sha256, unit);
    }
  }

  /** A file comes before what names it; one that comes later mends those that lacked it. */
  private Touched fileFound(String sha256) {
    Set<UnitName> lacked = lackingFile.remove(sha256);
    if (lacked == null) {
      return new Touched.Nothing();
    }
    for (UnitName name : lacked) {
      units.computeIfPresent(name, (_, known) -> withFile(known, sha256));
      schedule.computeIfPresent(name, (_, placed) -> withFile(placed, sha256));
    }
    return new Touched.Mended(new HashSet<>(lacked));
  }

  private KnownUnit withFile(KnownUnit known, String sha256) {
    if (!known.sha256().equals(sha256)) {
      return known;
    }
    Unit unit = known.unit();
    UnitFile file = files.peek(sha256);
    return new KnownUnit(
        new Unit(
            unit.name(),
            unit.incarnation(),
            file,
            unit.desired(),
            unit.restartCounter(),
            unit.by(),
            unit.created()),
        sha256,
        Requirements.of(unit.name(), file));
  }

  private Placed withFile(Placed placed, String sha256) {
    return placed.record().sha256().equals(sha256)
        ? new Placed(
            placed.machine(),
            placed.record(),
            entry(placed.entry().unit(), placed.record(), false, placed.entry().revision()))
        : placed;
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

  private static void note(Map<String, Set<UnitName>> index, String by, UnitName unit) {
    index.computeIfAbsent(by, _ -> new HashSet<>()).add(unit);
  }

  private static void unnote(Map<String, Set<UnitName>> index, String by, UnitName unit) {
    index.computeIfPresent(by, (_, units) -> units.remove(unit) && units.isEmpty() ? null : units);
  }

  // ---- what machines report

  /** A machine is there; returns false where it was, and describes itself as before. */
  public boolean present(Machine machine) {
    return !machine.equals(machines.put(machine.id(), machine));
  }

  /** A machine went, and with it all that it reported; returns the units whose state it told. */
  public Set<UnitName> absent(String machine) {
    machines.remove(machine);
    Set<UnitName> states = new HashSet<>();
    for (UnitName unit : new HashSet<>(reported.getOrDefault(machine, Set.of()))) {
      if (withdrawn(machine, unit)) {
        states.add(unit);
      }
    }
    return states;
  }

  /** Takes over a unit's state; false where it was known already. */
  public boolean stated(UnitState state) {
    takeBack(state.machine(), state.unit());
    note(reported, state.machine(), state.unit());
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
  public boolean gone(String machine, UnitName unit, long revision) {
    takeBack(machine, unit);
    if (concerns(machine, unit, revision)) {
      gone.put(unit, revision);
    }
    return forgetState(machine, unit);
  }

  private boolean forgetState(String machine, UnitName unit) {
    Map<String, UnitState> byMachine = states.get(unit);
    boolean known = byMachine != null && byMachine.remove(machine) != null;
    if (byMachine != null && byMachine.isEmpty()) {
      states.remove(unit);
    }
    if (!refusals.getOrDefault(unit, Map.of()).containsKey(machine)) {
      unnote(reported, machine, unit);
    }
    return known;
  }

  /** Whether a report speaks of the entry as it is now, and not of one before. */
  private boolean concerns(String machine, UnitName unit, long revision) {
    Placed placed = schedule.get(unit);
    return placed != null
        && placed.machine().equals(machine)
        && placed.entry().revision() == revision;
  }

  /**
   * A machine does not take a unit, as it says of one entry.
   *
   * @return false where it was known to have the unit's state no more
   */
  public boolean refused(AgentReport.Refused refusal, String machine) {
    UnitName unit = refusal.unit();
    note(reported, machine, unit);
    refusals
        .computeIfAbsent(unit, _ -> new HashMap<>())
        .put(machine, new Refusal(refusal.incarnation(), counter(refusal, machine), refusal.why()));
    if (concerns(machine, unit, refusal.revision())) {
      gone.put(unit, refusal.revision());
    }
    return forgetState(machine, unit);
  }

  /** The start that was refused, where the entry that asked for it is still known. */
  private OptionalLong counter(AgentReport.Refused refusal, String machine) {
    UnitName unit = refusal.unit();
    if (concerns(machine, unit, refusal.revision())) {
      return OptionalLong.of(Objects.requireNonNull(schedule.get(unit)).record().restartCounter());
    }
    Global global = globals.get(unit);
    return global != null && global.revision() == refusal.revision()
        ? OptionalLong.of(global.record().restartCounter())
        : OptionalLong.empty();
  }

  /**
   * A machine has nothing more to say of a unit: a name that it refused is free there.
   *
   * @return false where it was not known to have the unit
   */
  public boolean withdrawn(String machine, UnitName unit) {
    Placed placed = schedule.get(unit);
    boolean stopping = placed != null && placed.record().target() == Target.STOPPING;
    if (placed != null && placed.machine().equals(machine) && !stopping) {
      // What it would not take it may take by now; one that stopped as told never starts again.
      gone.remove(unit);
    }
    takeBack(machine, unit);
    return forgetState(machine, unit);
  }

  private void takeBack(String machine, UnitName unit) {
    refusals.computeIfPresent(
        unit,
        (_, byMachine) ->
            byMachine.remove(machine) != null && byMachine.isEmpty() ? null : byMachine);
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

  /** The units that are scheduled to a machine. */
  public Set<UnitName> scheduledTo(String machine) {
    return new HashSet<>(scheduled.getOrDefault(machine, Set.of()));
  }

  /** The key that says where a unit is placed, which comes and goes with its entry. */
  public Optional<Placement> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit));
  }

  /** The revision of what a machine has stored of a unit; empty where it has not. */
  public OptionalLong reportRevision(String machine, UnitName unit) {
    Long revision = reportKeys.getOrDefault(unit, Map.of()).get(machine);
    return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
  }

  /** Why nothing may be decided about a unit: what the registry holds of it cannot be read. */
  public Optional<String> fault(UnitName unit) {
    return faults.of(unit).or(() -> lacks(unit));
  }

  private Optional<String> lacks(UnitName unit) {
    return unit(unit)
        .map(KnownUnit::sha256)
        .filter(sha256 -> !files.has(sha256))
        .map(sha256 ->
            "its file, key "
                + Keys.file(sha256)
                + " of the registry, is missing or cannot be read: submit it again");
  }

  /** What was found that cannot be read, each to be told once. */
  public List<String> takeFaults() {
    return faults.takeUntold();
  }

  /** The key of who leads. */
  public Optional<Entry> leader() {
    return leader;
  }

  public Collection<Placed> schedule() {
    return Collections.unmodifiableCollection(schedule.values());
  }

  public Optional<ScheduleEntry> global(UnitName name) {
    return Optional.ofNullable(globals.get(name))
        .map(global -> entry(name, global.record(), true, global.revision()));
  }

  public OptionalLong globalRevision(UnitName name) {
    Global global = globals.get(name);
    return global == null ? OptionalLong.empty() : OptionalLong.of(global.revision());
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

  /** Whether a machine is there, be it that what it says of itself cannot be read. */
  public boolean isThere(String id) {
    return machines.containsKey(id) || faults.has(Keys.machine(id));
  }

  /** A machine that units can be judged by: it is there, and what is stored of it can be read. */
  public Optional<Machine> judged(String id) {
    return faults.concern(id) ? Optional.empty() : machine(id);
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
