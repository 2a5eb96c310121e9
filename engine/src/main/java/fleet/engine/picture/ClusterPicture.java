package fleet.engine.picture;

import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.BidRecord;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.ConfigRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.OfferRecord;
import fleet.registry.records.PauseRecord;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
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
  private final StoredUnits units = new StoredUnits(files);
  private final HeldOnce held = new HeldOnce(units, files);
  private final Schedule schedule = new Schedule(files);
  private final StoredRollouts rollouts = new StoredRollouts(files);
  private final StoredRebalance rebalance = new StoredRebalance();
  private final StoredOffers offers = new StoredOffers();
  private final Machines machines = new Machines();
  private final Reports reports = new Reports(schedule);
  private final ReportAdmission admission = new ReportAdmission(units, schedule, reports);
  private final Endings endings = new Endings(schedule);
  private final Faults faults = new Faults();
  private final Map<String, ConfigRecord> config = new HashMap<>();
  private final Set<String> leaving = new HashSet<>();
  private Optional<Entry> leader = Optional.empty();
  private Optional<Entry> standby = Optional.empty();
  private Optional<StoredPause> pause = Optional.empty();

  /**
   * The key {@code placement/<unit>}.
   *
   * @param why the reason for this machine
   */
  public record Placement(String machine, long revision, String why) {}

  /** The key that says that rescheduling pauses. */
  public record StoredPause(PauseRecord record, Entry entry) {}

  // ---- what the registry holds

  /**
   * Takes over a key of the registry; returns what it is about. A value that overflows the stack or
   * throws is noted as a fault of that key, and nothing else stops: every engine reads the same
   * value, and none would be left.
   */
  public Touched written(Entry entry) {
    boolean mended = faults.mended(entry.key());
    try {
      Touched touched = take(entry);
      return mended && saysNothingOfUnits(touched) ? Faults.about(entry.key()) : touched;
    } catch (RegistryException e) {
      return faults.note(entry, e);
    } catch (RuntimeException | StackOverflowError e) {
      return faults.note(
          entry,
          new RegistryException(
              "value of key %s in the registry is more than fleetd can read: %s"
                  .formatted(entry.key(), e),
              e));
    }
  }

  private static boolean saysNothingOfUnits(Touched touched) {
    return touched instanceof Touched.Nothing || touched instanceof Touched.PlacedBecause;
  }

  private Touched take(Entry entry) {
    String key = entry.key();
    if (key.startsWith(Keys.FILES)) {
      files.written(entry);
      return fileFound(key.substring(Keys.FILES.length()));
    }
    if (key.startsWith(Keys.UNITS)) {
      UnitName name = Keys.unitOf(key);
      units.put(name, UnitRecord.of(entry), entry.modified(), held);
      return Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.PLACEMENTS)) {
      UnitName name = held.of(Keys.unitOf(key));
      return new Touched.PlacedBecause(name, schedule.putPlacement(name, entry, held));
    }
    if (key.startsWith(Keys.SCHEDULES)) {
      UnitName name = held.of(Keys.unitOf(key));
      String machine = held.of(Keys.machineOf(key));
      ScheduleRecord record = held.of(name, ScheduleRecord.of(entry));
      checkRequirements(name, record);
      schedule.put(machine, name, record, entry.modified());
      return new Touched.Scheduled(name, machine);
    }
    if (key.startsWith(Keys.GLOBALS)) {
      UnitName name = Keys.unitOf(key);
      ScheduleRecord record = ScheduleRecord.of(entry);
      checkRequirements(name, record);
      schedule.putGlobal(name, record, entry.modified());
      return new Touched.Global(name);
    }
    if (key.startsWith(Keys.SETTINGS)) {
      String machine = Keys.machineOf(key);
      machines.set(machine, SettingsRecord.of(entry));
      return new Touched.OfMachine(machine);
    }
    if (key.startsWith(Keys.MACHINES)) {
      MachineRecord record = MachineRecord.of(entry);
      if (record.leaving()) {
        leaving.add(record.machine().id());
      } else {
        leaving.remove(record.machine().id());
      }
      return new Touched.Came(record.machine());
    }
    if (key.startsWith(Keys.STATES)) {
      AgentReport report = ReportRecord.of(entry).report();
      String machine = Keys.machineOf(key);
      reports.stored(machine, report.unit(), entry.modified());
      return new Touched.Reported(machine, report);
    }
    if (key.startsWith(Keys.ROLLOUTS)) {
      rollouts.put(entry);
      return new Touched.Rollout(Keys.unitOf(key));
    }
    if (key.equals(Keys.REBALANCE)) {
      return new Touched.Rebalanced(rebalance.put(entry));
    }
    if (key.startsWith(Keys.OFFERS)) {
      offers.put(OfferRecord.of(entry));
      return new Touched.Offered(Keys.unitOf(key), false);
    }
    if (key.startsWith(Keys.BIDS)) {
      BidRecord record = BidRecord.of(entry);
      return new Touched.Bidden(record.machine(), record.bid());
    }
    if (key.startsWith(Keys.COMMANDS)) {
      return new Touched.Commanded(CommandRecord.of(entry));
    }
    if (key.startsWith(Keys.CONFIG)) {
      String setting = key.substring(Keys.CONFIG.length());
      ConfigRecord record = ConfigRecord.of(entry);
      config.put(setting, record);
      return new Touched.Configured(setting, record);
    }
    if (key.equals(Keys.LEADER)) {
      leader = Optional.of(entry);
      return new Touched.Leader();
    }
    if (key.equals(Keys.STANDBY)) {
      standby = Optional.of(entry);
      return new Touched.Nothing();
    }
    if (key.equals(Keys.SEAL)) {
      admission.sealedBy(IncarnationSeal.of(entry));
      return new Touched.Nothing();
    }
    if (key.equals(Keys.PAUSE)) {
      pause = Optional.of(new StoredPause(PauseRecord.of(entry), entry));
      return new Touched.Pause();
    }
    return new Touched.Nothing();
  }

  /** Requirements are read later as well, where a fault could not be told to be of this key. */
  private void checkRequirements(UnitName name, ScheduleRecord record) {
    var _ = files.requirements(record.sha256(), name, record.require());
  }

  /** A file comes before what names it; one that comes later mends those that lacked it. */
  private Touched fileFound(String sha256) {
    Set<UnitName> lacked = files.takeLacking(sha256);
    lacked.forEach(name -> units.mend(name, sha256));
    lacked.forEach(name -> schedule.mend(name, sha256));
    return lacked.isEmpty() ? new Touched.Nothing() : new Touched.Mended(lacked);
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
      units.forget(name);
      return Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.PLACEMENTS)) {
      UnitName name = Keys.unitOf(key);
      schedule.removePlacement(name);
      return placed(name).isPresent() ? new Touched.Nothing() : Touched.OfUnits.one(name);
    }
    if (key.startsWith(Keys.SCHEDULES)) {
      UnitName name = Keys.unitOf(key);
      String machine = Keys.machineOf(key);
      if (schedule.remove(machine, name)) {
        reports.entryRemoved(name);
        endings.entryRemoved(name);
      }
      return new Touched.Scheduled(name, machine);
    }
    if (key.startsWith(Keys.GLOBALS)) {
      UnitName name = Keys.unitOf(key);
      schedule.removeGlobal(name);
      return new Touched.Global(name);
    }
    if (key.startsWith(Keys.SETTINGS)) {
      machines.unset(Keys.machineOf(key));
      return new Touched.OfMachine(Keys.machineOf(key));
    }
    if (key.startsWith(Keys.MACHINES)) {
      String machine = Keys.machineOf(key);
      return new Touched.Went(machine, leaving.remove(machine));
    }
    if (key.startsWith(Keys.STATES)) {
      UnitName name = Keys.unitOf(key);
      String machine = Keys.machineOf(key);
      reports.deleted(machine, name);
      return new Touched.Withdrawn(machine, name);
    }
    if (key.startsWith(Keys.ROLLOUTS)) {
      rollouts.forget(Keys.unitOf(key));
      return new Touched.Rollout(Keys.unitOf(key));
    }
    if (key.equals(Keys.REBALANCE)) {
      return new Touched.Rebalanced(rebalance.forget());
    }
    if (key.startsWith(Keys.OFFERS)) {
      offers.forget(Keys.unitOf(key));
      return new Touched.Offered(Keys.unitOf(key), true);
    }
    if (key.startsWith(Keys.CONFIG)) {
      config.remove(key.substring(Keys.CONFIG.length()));
      return new Touched.Unconfigured();
    }
    if (key.equals(Keys.LEADER)) {
      leader = Optional.empty();
      return new Touched.Leader();
    }
    if (key.equals(Keys.STANDBY)) {
      standby = Optional.empty();
      return new Touched.Nothing();
    }
    if (key.equals(Keys.PAUSE)) {
      pause = Optional.empty();
      return new Touched.Pause();
    }
    return new Touched.Nothing();
  }

  // ---- what machines report

  /** A machine is there; returns false where it was, and describes itself as before. */
  public boolean present(Way way, Machine machine) {
    return machines.present(way, machine);
  }

  /** Whether a machine says in this way that it is there. */
  public boolean isPresent(Way way, String machine) {
    return machines.isPresent(way, machine);
  }

  /** Another machine that is there with the id of this one, or this one before it booted. */
  public Optional<Machine> twin(Way way, Machine machine) {
    return machines.twin(way, machine);
  }

  /** A machine is there no more in one way; it may still be in the other. */
  public void absent(Way way, String machine) {
    machines.absent(way, machine);
  }

  /** Whether a machine may say this: it was given the unit, now or before. */
  public boolean admits(String machine, AgentReport report) {
    return admission.admits(machine, report);
  }

  /** The units of which a machine has said something that still counts. */
  public Set<UnitName> reportedBy(String machine) {
    return reports.by(machine);
  }

  /** All that a machine reported is void; returns the units whose state it told. */
  public Set<UnitName> withdrawAll(String machine) {
    return reports.withdrawAll(machine);
  }

  /** Takes over a unit's state, and gives it as it is held; empty where it was known already. */
  public Optional<UnitState> stated(UnitState state) {
    UnitState kept = held.of(state);
    return reports.stated(kept) ? Optional.of(kept) : Optional.empty();
  }

  /**
   * A machine does not have a unit.
   *
   * @return false where it was not known to have it
   */
  public boolean gone(String machine, AgentReport.Gone report) {
    return reports.gone(machine, report);
  }

  /**
   * A machine does not take a unit, as it says of one entry.
   *
   * @return false where it was known to have the unit's state no more
   */
  public boolean refused(AgentReport.Refused refusal, String machine) {
    return reports.refused(refusal, machine);
  }

  /**
   * A machine has nothing more to say of a unit: a name that it refused is free there.
   *
   * @return false where it was not known to have the unit
   */
  public boolean withdrawn(String machine, UnitName unit) {
    return reports.withdrawn(machine, unit);
  }

  // ---- what is known

  public Optional<KnownUnit> unit(UnitName name) {
    return units.of(name);
  }

  /** All units, in no order. */
  public Collection<KnownUnit> units() {
    return units.all();
  }

  public Optional<Placed> placed(UnitName name) {
    return schedule.of(name);
  }

  /** The requirements of a placed unit, by the file that is on its machine and its entry. */
  public Requirements requirements(Placed placed) {
    return files.requirements(
        placed.record().sha256(), placed.entry().unit(), placed.record().require());
  }

  /** The units that are scheduled to a machine. */
  public Set<UnitName> scheduledTo(String machine) {
    return schedule.of(machine);
  }

  /** The key that says where a unit is placed, which comes and goes with its entry. */
  public Optional<Placement> placement(UnitName unit) {
    return schedule.placement(unit);
  }

  /** Why a unit was given the machine that it is placed on; empty where that is not known. */
  public String placedBecause(UnitName unit) {
    return placement(unit).map(Placement::why).orElse("");
  }

  /** The revision of what a machine has stored of a unit; empty where it has not. */
  public OptionalLong reportRevision(String machine, UnitName unit) {
    return reports.revision(machine, unit);
  }

  /** Why nothing may be decided about a unit: what the registry holds of it cannot be read. */
  public Optional<String> fault(UnitName unit) {
    return faults.of(unit).or(() -> lacks(unit));
  }

  /** Units whose entries for a machine are there, and cannot be read or carried out. */
  public Set<UnitName> leftAlone(String machine) {
    Set<UnitName> units = schedule.lackingFiles(machine);
    if (!faults.isEmpty()) {
      units.addAll(faults.unitsBelow(Keys.schedules(machine)));
      units.addAll(faults.unitsBelow(Keys.GLOBALS));
    }
    return units;
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

  /** Faults told before are to be told once more, to somebody else. */
  public void tellFaultsAgain() {
    faults.tellAgain();
  }

  /** Faults of keys that cannot be read, each to be told once. */
  public List<String> takeFaults() {
    return faults.takeUntold();
  }

  /** Settings of the whole cluster, by name. */
  public Map<String, ConfigRecord> config() {
    return Collections.unmodifiableMap(config);
  }

  /** Offers to machines through the store. */
  public StoredOffers offers() {
    return offers;
  }

  /** The key of who leads. */
  public Optional<Entry> leader() {
    return leader;
  }

  /** The key that offers the seat of the warm standby, or says who has it. */
  public Optional<Entry> standby() {
    return standby;
  }

  /** The key that says that rescheduling pauses, or that somebody has ended that. */
  public Optional<StoredPause> pause() {
    return pause;
  }

  /** Whether units are placed on a machine. */
  public boolean hasUnits(String machine) {
    return schedule.count(machine) > 0;
  }

  /** The machines that have units and are not there, by id, with the number of these. */
  public SortedMap<String, Integer> missing() {
    SortedMap<String, Integer> missing = new TreeMap<>();
    for (String machine : schedule.machines()) {
      if (!isThere(machine)) {
        missing.put(machine, schedule.count(machine));
      }
    }
    return missing;
  }

  /** The machines that say nothing of units that they have been given, with the number of these. */
  public SortedMap<String, Integer> unreported() {
    SortedMap<String, Integer> unreported = new TreeMap<>();
    for (String machine : schedule.machines()) {
      int units = unreported(machine);
      if (units > 0) {
        unreported.put(machine, units);
      }
    }
    return unreported;
  }

  private int unreported(String machine) {
    int count = 0;
    for (UnitName unit : schedule.of(machine)) {
      if (reports.state(unit, machine) == null && !placed(unit).map(this::isGone).orElse(false)) {
        count++;
      }
    }
    return count;
  }

  public Collection<Placed> schedule() {
    return schedule.all();
  }

  public Optional<ScheduleEntry> global(UnitName name) {
    return schedule.global(name);
  }

  public OptionalLong globalRevision(UnitName name) {
    return schedule.globalRevision(name);
  }

  public Optional<ScheduleRecord> globalRecord(UnitName name) {
    return schedule.globalRecord(name);
  }

  public Set<UnitName> globals() {
    return schedule.globals();
  }

  /** The rebalance that goes on, or the last one. */
  public StoredRebalance rebalance() {
    return rebalance;
  }

  /** The machines that are present, with the metadata in force. */
  public Collection<Machine> machines() {
    return machines.all();
  }

  /** How many machines are there. */
  public int machineCount() {
    return machines.count();
  }

  public Optional<Machine> machine(String id) {
    return machines.of(id);
  }

  /** Whether nothing new is to come to a machine, be it there or not. */
  public boolean isCordoned(String machine) {
    return machines.isCordoned(machine);
  }

  /** The machines that are cordoned and say nothing of themselves. */
  public Set<String> cordonedAndAway() {
    return machines.cordonedAndAway();
  }

  /** How the units of a machine are to go elsewhere; empty where they are not. */
  public Optional<Drain> drain(String machine) {
    return machines.drain(machine);
  }

  /** The instances of a unit's template, itself among them; none of what is no instance. */
  public Set<UnitName> family(UnitName unit) {
    return units.family(unit);
  }

  /** The instances of a template, be that itself there or not. */
  public Set<UnitName> instances(UnitName template) {
    return units.instances(template);
  }

  /** Whether a machine is there, be it that what it says of itself cannot be read. */
  public boolean isThere(String id) {
    return machines.has(id) || faults.has(Keys.machine(id));
  }

  /** A machine that units can be judged by: it is there, and what is stored of it can be read. */
  public Optional<Machine> judged(String id) {
    return faults.concern(id) ? Optional.empty() : machine(id);
  }

  public Collection<Map<String, UnitState>> states() {
    return reports.states();
  }

  /** How many states there are, on all machines, by systemd's active state. */
  public SortedMap<String, Integer> statesByActive() {
    return reports.byActive();
  }

  public Map<String, UnitState> states(UnitName unit) {
    return reports.states(unit);
  }

  public @Nullable UnitState state(UnitName unit, String machine) {
    return reports.state(unit, machine);
  }

  /** Whether the machine that is to have the unit has told, of this very entry, that it has not. */
  public boolean isGone(Placed placed) {
    return reports.isGone(placed);
  }

  /**
   * Whether the unit had run to its end when its machine was told to stop it, as the machine says
   * of this very entry.
   */
  public boolean hadEnded(Placed placed) {
    return reports.hasEnded(placed);
  }

  /** Why machines would not take the unit as it is now, by machine. */
  public Map<String, String> refusals(KnownUnit known) {
    return reports.refusals(known);
  }

  /** The last states of units whose machines went. */
  public Endings endings() {
    return endings;
  }

  public StoredRollouts rollouts() {
    return rollouts;
  }

  /** Files that no unit and no rollout names any more, with the revision that wrote them last. */
  public StoredFiles files() {
    return files;
  }
}
