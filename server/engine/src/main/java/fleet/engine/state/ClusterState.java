package fleet.engine.state;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.BidRecord;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.ConfigRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.PauseRecord;
import fleet.registry.records.ReportRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnitRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The state of the cluster: what the registry holds, and what machines report. Changed in place,
 * key by key and report by report. Each part answers for itself; this class has what concerns
 * several. Owned by one event thread, as are the parts.
 *
 * <p>What is stored comes in through {@link #written} and {@link #deleted} alone, never from the
 * engine's own decisions: so everything in the state is durable.
 */
public final class ClusterState {

  private final StoredFiles files = new StoredFiles();
  private final StoredUnits units = new StoredUnits(files);
  private final Interner interner = new Interner(units, files);
  private final StoredSchedule schedule = new StoredSchedule(files);
  private final StoredOperations operations = new StoredOperations(files);
  private final StoredHistories histories = new StoredHistories(files, units);
  private final StoredOffers offers = new StoredOffers();
  private final KnownMachines machines = new KnownMachines();
  private final UnitReports reports = new UnitReports(schedule, interner);
  private final ReportAdmission admission = new ReportAdmission(units, schedule, reports);
  private final EndedUnits ended = new EndedUnits(schedule);
  private final UnreadableKeys unreadable = new UnreadableKeys();
  private final Map<String, ConfigRecord> config = new HashMap<>();
  private final Set<String> leaving = new HashSet<>();
  private final StoredDepartures departures = new StoredDepartures();
  private Optional<Entry> leader = Optional.empty();
  private Optional<Entry> standby = Optional.empty();
  private Optional<StoredPause> pause = Optional.empty();

  /** The key of the pause of rescheduling. */
  public record StoredPause(PauseRecord record, Entry entry) {}

  /**
   * The meaning of a key.
   *
   * @param prefix of the keys of this kind; the key itself if it does not end in a slash
   * @param written takes over a value, and returns what it is about
   * @param deleted takes over that a key is gone, and returns what it was about
   */
  private record KeyKind(
      String prefix,
      Function<Entry, ChangedSubject> written,
      Function<String, ChangedSubject> deleted) {

    boolean covers(String key) {
      return prefix.endsWith("/") ? key.startsWith(prefix) : key.equals(prefix);
    }
  }

  /** All kinds of keys that matter here, the most frequent ones first. */
  private final List<KeyKind> kinds =
      List.of(
          new KeyKind(Keys.STATES, this::reportWritten, this::reportDeleted),
          new KeyKind(Keys.SCHEDULES, this::entryWritten, this::entryDeleted),
          new KeyKind(Keys.PLACEMENTS, this::placementWritten, this::placementDeleted),
          new KeyKind(Keys.UNITS, this::unitWritten, this::unitDeleted),
          new KeyKind(Keys.FILES, this::fileWritten, this::fileDeleted),
          new KeyKind(Keys.COMMANDS, ClusterState::commanded, ClusterState::nothing),
          new KeyKind(
              Keys.OFFERS,
              entry -> new ChangedSubject.Offered(offers.put(entry), false),
              key -> new ChangedSubject.Offered(offers.forget(key), true)),
          new KeyKind(Keys.BIDS, ClusterState::bidden, ClusterState::nothing),
          new KeyKind(Keys.MACHINES, this::machineWritten, this::machineDeleted),
          new KeyKind(
              Keys.SETTINGS,
              entry -> new ChangedSubject.OfMachine(machines.set(entry)),
              key -> new ChangedSubject.OfMachine(machines.unset(key))),
          new KeyKind(Keys.DEPARTED, departures::put, departures::forget),
          new KeyKind(Keys.GLOBALS, this::globalWritten, this::globalDeleted),
          new KeyKind(Keys.OPERATIONS, operations::put, operations::forget),
          new KeyKind(Keys.HISTORIES, histories::put, histories::forget),
          new KeyKind(Keys.CONFIG, this::configWritten, this::configDeleted),
          new KeyKind(
              Keys.LEADER, entry -> ledBy(Optional.of(entry)), _ -> ledBy(Optional.empty())),
          new KeyKind(
              Keys.STANDBY, entry -> standby(Optional.of(entry)), _ -> standby(Optional.empty())),
          new KeyKind(
              Keys.PAUSE,
              entry -> paused(Optional.of(new StoredPause(PauseRecord.of(entry), entry))),
              _ -> paused(Optional.empty())),
          new KeyKind(Keys.SEAL, this::sealed, ClusterState::nothing));

  // ---- what the registry holds

  /**
   * Takes over a key of the registry; returns what it is about. A value that overflows the stack or
   * throws is noted as a fault of that key. Nothing else stops: every engine reads the same value,
   * and all would fail.
   */
  public ChangedSubject written(Entry entry) {
    boolean mended = unreadable.mended(entry.key());
    try {
      ChangedSubject touched =
          kind(entry.key())
              .map(kind -> kind.written().apply(entry))
              .orElseGet(ChangedSubject.Nothing::new);
      return mended && saysNothingOfUnits(touched) ? UnreadableKeys.about(entry.key()) : touched;
    } catch (RegistryException e) {
      return unreadable.note(entry, e);
    } catch (RuntimeException | StackOverflowError e) {
      return unreadable.note(
          entry,
          new RegistryException(
              "value of key %s in the registry is more than fleetd can read: %s"
                  .formatted(entry.key(), e),
              e));
    }
  }

  private static boolean saysNothingOfUnits(ChangedSubject touched) {
    return touched instanceof ChangedSubject.Nothing
        || touched instanceof ChangedSubject.PlacedBecause;
  }

  /** Takes over that a key is gone; returns what it was about. */
  public ChangedSubject deleted(String key) {
    boolean mended = unreadable.mended(key);
    try {
      ChangedSubject touched =
          kind(key).map(kind -> kind.deleted().apply(key)).orElseGet(ChangedSubject.Nothing::new);
      return mended && touched instanceof ChangedSubject.Nothing
          ? UnreadableKeys.about(key)
          : touched;
    } catch (RegistryException namesNothing) {
      return new ChangedSubject.Nothing();
    }
  }

  private Optional<KeyKind> kind(String key) {
    for (KeyKind kind : kinds) {
      if (kind.covers(key)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  private static ChangedSubject nothing(String key) {
    return new ChangedSubject.Nothing();
  }

  /**
   * A file comes before the units that name it; one that comes later mends units that lacked it.
   */
  private ChangedSubject fileWritten(Entry entry) {
    files.written(entry);
    String sha256 = entry.key().substring(Keys.FILES.length());
    Set<UnitName> lacked = files.takeLacking(sha256);
    lacked.forEach(name -> units.mend(name, sha256));
    lacked.forEach(name -> schedule.mend(name, sha256));
    return lacked.isEmpty() ? new ChangedSubject.Nothing() : new ChangedSubject.Mended(lacked);
  }

  private ChangedSubject fileDeleted(String key) {
    files.deleted(key.substring(Keys.FILES.length()));
    return new ChangedSubject.Nothing();
  }

  private ChangedSubject unitWritten(Entry entry) {
    UnitName name = Keys.unitOf(entry.key());
    units.put(name, UnitRecord.of(entry), entry.modified(), interner);
    return ChangedSubject.OfUnits.one(name);
  }

  private ChangedSubject unitDeleted(String key) {
    UnitName name = Keys.unitOf(key);
    units.forget(name);
    histories.unitGone(name);
    return ChangedSubject.OfUnits.one(name);
  }

  private ChangedSubject placementWritten(Entry entry) {
    UnitName name = interner.of(Keys.unitOf(entry.key()));
    return new ChangedSubject.PlacedBecause(name, schedule.putPlacement(name, entry, interner));
  }

  private ChangedSubject placementDeleted(String key) {
    UnitName name = Keys.unitOf(key);
    schedule.removePlacement(name);
    return schedule.of(name).isPresent()
        ? new ChangedSubject.Nothing()
        : ChangedSubject.OfUnits.one(name);
  }

  private ChangedSubject entryWritten(Entry entry) {
    UnitName name = interner.of(Keys.unitOf(entry.key()));
    String machine = interner.of(Keys.machineOf(entry.key()));
    ScheduleRecord record = interner.of(name, ScheduleRecord.of(entry));
    checkRequirements(name, record);
    schedule.put(machine, name, record, entry.modified());
    return new ChangedSubject.Scheduled(name, machine);
  }

  private ChangedSubject entryDeleted(String key) {
    UnitName name = Keys.unitOf(key);
    String machine = Keys.machineOf(key);
    if (schedule.remove(machine, name)) {
      reports.entryRemoved(name);
      ended.entryRemoved(name);
    }
    return new ChangedSubject.Scheduled(name, machine);
  }

  private ChangedSubject globalWritten(Entry entry) {
    UnitName name = Keys.unitOf(entry.key());
    ScheduleRecord record = ScheduleRecord.of(entry);
    checkRequirements(name, record);
    schedule.putGlobal(name, record, entry.modified());
    return new ChangedSubject.Global(name);
  }

  private ChangedSubject globalDeleted(String key) {
    UnitName name = Keys.unitOf(key);
    schedule.removeGlobal(name);
    return new ChangedSubject.Global(name);
  }

  /** Requirements are read later as well, when a fault could not be traced to this key. */
  private void checkRequirements(UnitName name, ScheduleRecord record) {
    var _ = files.requirements(record.sha256(), name, record.require());
  }

  private ChangedSubject machineWritten(Entry entry) {
    MachineRecord record = MachineRecord.of(entry);
    if (record.leaving()) {
      leaving.add(record.machine().id());
    } else {
      leaving.remove(record.machine().id());
    }
    return new ChangedSubject.Came(record.machine());
  }

  private ChangedSubject machineDeleted(String key) {
    String machine = Keys.machineOf(key);
    return new ChangedSubject.Went(machine, leaving.remove(machine));
  }

  private ChangedSubject reportWritten(Entry entry) {
    AgentReport report = ReportRecord.of(entry).report();
    String machine = Keys.machineOf(entry.key());
    reports.stored(machine, report.unit(), entry.modified());
    return new ChangedSubject.Reported(machine, report);
  }

  private ChangedSubject reportDeleted(String key) {
    UnitName name = Keys.unitOf(key);
    String machine = Keys.machineOf(key);
    reports.deleted(machine, name);
    return new ChangedSubject.Withdrawn(machine, name);
  }

  private static ChangedSubject bidden(Entry entry) {
    BidRecord record = BidRecord.of(entry);
    return new ChangedSubject.Bidden(record.machine(), record.bid());
  }

  private static ChangedSubject commanded(Entry entry) {
    return new ChangedSubject.Commanded(CommandRecord.of(entry));
  }

  private ChangedSubject configWritten(Entry entry) {
    String setting = entry.key().substring(Keys.CONFIG.length());
    ConfigRecord record = ConfigRecord.of(entry);
    config.put(setting, record);
    return new ChangedSubject.Configured(setting, record);
  }

  private ChangedSubject configDeleted(String key) {
    config.remove(key.substring(Keys.CONFIG.length()));
    return new ChangedSubject.Unconfigured();
  }

  private ChangedSubject ledBy(Optional<Entry> entry) {
    leader = entry;
    return new ChangedSubject.Leader();
  }

  private ChangedSubject standby(Optional<Entry> entry) {
    standby = entry;
    return new ChangedSubject.Nothing();
  }

  private ChangedSubject paused(Optional<StoredPause> stored) {
    pause = stored;
    return new ChangedSubject.Pause();
  }

  private ChangedSubject sealed(Entry entry) {
    admission.sealedBy(IncarnationSeal.of(entry));
    return new ChangedSubject.Nothing();
  }

  // ---- the parts

  public StoredUnits units() {
    return units;
  }

  public StoredSchedule schedule() {
    return schedule;
  }

  public StoredFiles files() {
    return files;
  }

  /** Rebalances and rollouts; drains are settings of {@link #machines}. */
  public StoredOperations operations() {
    return operations;
  }

  public StoredHistories histories() {
    return histories;
  }

  /** Offers to machines through the store. */
  public StoredOffers offers() {
    return offers;
  }

  public KnownMachines machines() {
    return machines;
  }

  /** Machines that are lost or have left, by id; some may be back. */
  public SortedMap<String, StoredDepartures.StoredDeparture> departed() {
    return departures.all();
  }

  public UnitReports reports() {
    return reports;
  }

  public ReportAdmission admission() {
    return admission;
  }

  /** The last states of units whose machines went. */
  public EndedUnits ended() {
    return ended;
  }

  public UnreadableKeys unreadable() {
    return unreadable;
  }

  /** Settings of the whole cluster, by name. */
  public Map<String, ConfigRecord> config() {
    return Collections.unmodifiableMap(config);
  }

  /** The key of who leads. */
  public Optional<Entry> leader() {
    return leader;
  }

  /** The machine that leads by that key; empty if there is none, or it cannot be read. */
  public Optional<String> leadingMachine() {
    try {
      return leader.map(entry -> LeaderRecord.of(entry).machine());
    } catch (RegistryException e) {
      return Optional.empty();
    }
  }

  /** The key that offers the seat of the warm standby, or says who has it. */
  public Optional<Entry> standby() {
    return standby;
  }

  /** The key of the pause of rescheduling, or of its end by somebody. */
  public Optional<StoredPause> pause() {
    return pause;
  }

  // ---- several parts together

  /** The requirements of a placed unit, by the file that is on its machine and its entry. */
  public Requirements requirements(ScheduledUnit placed) {
    return files.requirements(
        placed.record().sha256(), placed.entry().unit(), placed.record().require());
  }

  /** Why nothing may be decided about a unit: its keys in the registry cannot be read. */
  public Optional<String> fault(UnitName unit) {
    return unreadable.of(unit).or(() -> lacks(unit));
  }

  private Optional<String> lacks(UnitName unit) {
    return units
        .of(unit)
        .map(KnownUnit::sha256)
        .filter(sha256 -> !files.has(sha256))
        .map(sha256 ->
            "its file, key "
                + Keys.file(sha256)
                + " of the registry, is missing or cannot be read: submit it again");
  }

  /** Units whose entries for a machine exist, but cannot be read or carried out. */
  public Set<UnitName> leftAlone(String machine) {
    Set<UnitName> alone = schedule.lackingFiles(machine);
    if (!unreadable.isEmpty()) {
      alone.addAll(unreadable.unitsBelow(Keys.schedules(machine)));
      alone.addAll(unreadable.unitsBelow(Keys.GLOBALS));
    }
    return alone;
  }

  /** Whether a machine is present, even if its record cannot be read. */
  public boolean isThere(String machine) {
    return machines.has(machine) || unreadable.has(Keys.machine(machine));
  }

  /** A machine that units can be judged by: it is present, and its records can be read. */
  public Optional<Machine> judged(String machine) {
    return unreadable.concern(machine) ? Optional.empty() : machines.of(machine);
  }

  /** The absent machines that have units, by id, with the number of their units. */
  public SortedMap<String, Integer> missing() {
    return count(machine -> isThere(machine) ? 0 : schedule.count(machine));
  }

  /** The machines that do not report units that they were given, with the number of these units. */
  public SortedMap<String, Integer> unreported() {
    return count(this::unreported);
  }

  private SortedMap<String, Integer> count(Function<String, Integer> units) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (String machine : schedule.machines()) {
      int count = units.apply(machine);
      if (count > 0) {
        counts.put(machine, count);
      }
    }
    return counts;
  }

  private int unreported(String machine) {
    int count = 0;
    for (UnitName unit : schedule.unitsOn(machine)) {
      if (unreportedOn(unit).isPresent()) {
        count++;
      }
    }
    return count;
  }

  /** Those of some units that a machine was given and reports nothing of, with the machine. */
  public Map<UnitName, String> unreported(Set<UnitName> units) {
    Map<UnitName, String> machines = new HashMap<>();
    for (UnitName unit : units) {
      unreportedOn(unit).ifPresent(machine -> machines.put(unit, machine));
    }
    return machines;
  }

  private Optional<String> unreportedOn(UnitName unit) {
    return schedule
        .of(unit)
        .filter(placed -> !reports.isGone(placed))
        .map(ScheduledUnit::machine)
        .filter(machine -> reports.state(unit, machine) == null);
  }
}
