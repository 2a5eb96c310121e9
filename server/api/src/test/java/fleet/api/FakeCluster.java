package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterBackup;
import fleet.cluster.ClusterCounts;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.Intent;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.NewOperation;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.PlacementReasons;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.RebalanceStart;
import fleet.cluster.RestartResult;
import fleet.cluster.RolloutResult;
import fleet.cluster.Setting;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitRevision;
import fleet.cluster.UnitStates;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.core.unit.UnitName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster in memory, with which nothing happens unless a test makes it happen. */
final class FakeCluster implements Cluster {

  final FakeEvents events = new FakeEvents();
  final FakeUnits units = new FakeUnits();

  private final List<UnitState> states = new CopyOnWriteArrayList<>();
  private final SortedMap<String, Integer> unreported = new ConcurrentSkipListMap<>();
  private final Map<UnitName, String> unreportedUnits = new ConcurrentHashMap<>();
  final Map<String, Maintenance> maintained = new ConcurrentSkipListMap<>();
  private final Map<String, Drain> drains = new ConcurrentSkipListMap<>();
  final List<Intent> intents = new CopyOnWriteArrayList<>();
  final List<OperationProgress> operations = new CopyOnWriteArrayList<>();
  final List<NewOperation<?>> begun = new CopyOnWriteArrayList<>();

  /** The answers to requests that begin an operation. */
  final Map<OperationId.Kind, Object> results =
      new ConcurrentSkipListMap<>(
          Map.of(
              OperationId.Kind.REBALANCE,
              new RebalanceStart(RebalanceStart.Kind.BEGUN, ""),
              OperationId.Kind.RESTART,
              RestartResult.STARTED,
              OperationId.Kind.ROLLOUT,
              RolloutResult.STARTED));

  /** The results of changes, by operation and change, such as {@code rebalance CANCEL}. */
  final Map<String, OperationChanged> changes = new ConcurrentSkipListMap<>();

  Plan plan = new Plan(List.of());
  final Set<String> cordoned = new CopyOnWriteArraySet<>();
  private Setting setting = new Setting("scheduler.strategy", "spread", "least-loaded", "");
  Optional<PlacementReasons> reasons = Optional.empty();

  /** The machines that are to have any global unit. */
  volatile List<String> runsOn = List.of();

  private final List<MachineView> machines = new CopyOnWriteArrayList<>();

  final AtomicInteger lists = new AtomicInteger();
  final List<MetadataChange> metadataChanges = new CopyOnWriteArrayList<>();
  final List<Caller> callers = new CopyOnWriteArrayList<>();

  volatile Optional<String> unavailable = Optional.empty();

  /** Done before each query and command; may throw. */
  volatile Runnable before = () -> {};

  volatile AbsentMachines absences = new AbsentMachines(List.of(), Optional.empty(), List.of());
  volatile StartResult startResult = StartResult.ACCEPTED;
  volatile BiFunction<String, Question, Optional<Answer>> answers = (m, q) -> Optional.empty();

  /** Since when what is known may be old. */
  volatile Optional<Instant> staleSince = Optional.empty();

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    staleSince.ifPresent(told);
    return this;
  }

  @Override
  public Map<UnitName, Unit> stored(Set<UnitName> names) {
    return units(names).stream()
        .map(UnitView::unit)
        .collect(Collectors.toMap(Unit::name, unit -> unit));
  }

  /** The texts of units as they were typed. */
  final Map<UnitName, String> texts = new ConcurrentHashMap<>();

  @Override
  public Optional<String> text(UnitName unit) {
    check();
    return Optional.ofNullable(texts.get(unit));
  }

  /** The histories of units. */
  final Map<UnitName, List<UnitRevision>> histories = new ConcurrentHashMap<>();

  /** The texts only of those that are asked for. */
  @Override
  public List<UnitRevision> history(UnitName unit, Set<Long> texts) {
    check();
    return histories.getOrDefault(unit, List.of()).stream()
        .map(one ->
            new UnitRevision(
                one.number(),
                one.current(),
                one.hash(),
                one.created(),
                one.by(),
                one.cause(),
                one.file().filter(_ -> texts.contains(one.number()))))
        .toList();
  }

  private void check() {
    before.run();
    if (unavailable.isPresent()) {
      throw new ClusterUnavailableException(unavailable.get());
    }
  }

  void add(UnitView view) {
    units.add(view);
  }

  void add(UnitState state) {
    states.add(state);
  }

  void removeState(UnitName unit, String machine) {
    states.removeIf(state -> state.unit().equals(unit) && state.machine().equals(machine));
  }

  void unreported(String machine, int units) {
    unreported.put(machine, units);
  }

  void unreported(String machine, UnitName unit) {
    unreportedUnits.put(unit, machine);
  }

  void add(Machine machine) {
    add(FakeMachines.server(machine));
  }

  void add(MachineView machine) {
    machines.add(machine);
  }

  @Override
  public List<UnitView> units() {
    check();
    lists.incrementAndGet();
    return units.all();
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    check();
    return units.find(name);
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    check();
    return units.all().stream().filter(view -> names.contains(view.unit().name())).toList();
  }

  @Override
  public ClusterCounts tally() {
    check();
    SortedMap<String, Integer> active = new TreeMap<>();
    states.forEach(state -> active.merge(state.systemd().active(), 1, Integer::sum));
    return new ClusterCounts(machines().size(), units().size(), active);
  }

  @Override
  public UnitStates states() {
    return new UnitStates(reportedStates(), unreported);
  }

  @Override
  public List<UnitState> reportedStates() {
    check();
    return states.stream()
        .sorted(Comparator.comparing(UnitState::unit).thenComparing(UnitState::machine))
        .toList();
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return reportedStates().stream().filter(state -> units.contains(state.unit())).toList();
  }

  @Override
  public Map<UnitName, String> unreported(Set<UnitName> units) {
    check();
    Map<UnitName, String> found = new HashMap<>(unreportedUnits);
    found.keySet().retainAll(units);
    return found;
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    check();
    callers.add(caller);
    return cordoned ? this.cordoned.add(machine) : this.cordoned.remove(machine);
  }

  @Override
  public Maintenance maintain(String machine, Duration time, Caller caller) {
    check();
    callers.add(caller);
    var window = new Maintenance(FakeUnits.TIME.plus(time), caller.name(), "");
    maintained.put(machine, window);
    return window;
  }

  @Override
  public boolean endMaintenance(String machine, Caller caller) {
    check();
    callers.add(caller);
    return maintained.remove(machine) != null;
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    check();
    callers.add(caller);
    var drain = new Drain(maxUnavailable, caller.name(), FakeUnits.TIME);
    return !drain.equals(drains.put(machine, drain));
  }

  @Override
  public List<OperationProgress> operations() {
    check();
    return List.copyOf(operations);
  }

  @Override
  public Optional<OperationProgress> operation(OperationId id) {
    check();
    return operations.stream().filter(one -> one.operation().id().equals(id)).findFirst();
  }

  @Override
  public OperationChanged change(OperationId id, OperationChange change, Caller caller) {
    check();
    callers.add(caller);
    return changes.getOrDefault(id.text() + " " + change, OperationChanged.UNKNOWN);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> R begin(NewOperation<R> wanted, Caller caller) {
    check();
    callers.add(caller);
    begun.add(wanted);
    return (R) Objects.requireNonNull(results.get(wanted.id().kind()));
  }

  /** The requests of one type to begin an operation. */
  <T extends NewOperation<?>> List<T> begun(Class<T> type) {
    return begun.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public Plan plan(Intent intent) {
    check();
    intents.add(intent);
    return plan;
  }

  @Override
  public List<Setting> settings() {
    check();
    return List.of(setting);
  }

  @Override
  public Optional<String> set(String name, String value, Caller caller) {
    check();
    callers.add(caller);
    if (!name.equals(setting.name())) {
      return Optional.of("there is no setting \"" + name + "\"");
    }
    setting = new Setting(name, value, setting.usual(), "somebody");
    return Optional.empty();
  }

  @Override
  public Optional<String> unset(String name, Caller caller) {
    check();
    callers.add(caller);
    if (!name.equals(setting.name())) {
      return Optional.of("there is no setting \"" + name + "\"");
    }
    setting = new Setting(name, setting.usual(), setting.usual(), "");
    return Optional.empty();
  }

  @Override
  public Optional<PlacementReasons> why(UnitName unit) {
    check();
    return reasons.filter(known -> known.unit().equals(unit));
  }

  @Override
  public List<String> runsOn(UnitName unit) {
    check();
    return runsOn;
  }

  @Override
  public List<MachineView> machines() {
    check();
    return List.copyOf(machines);
  }

  @Override
  public AbsentMachines absences() {
    check();
    return absences;
  }

  volatile Optional<Instant> leadsSince = Optional.empty();

  @Override
  public Optional<Instant> leadsSince() {
    return leadsSince;
  }

  volatile StoreHealth storeHealth = StoreHealth.EMBEDDED;

  @Override
  public Optional<StoreHealth> storeHealth() {
    check();
    return Optional.of(storeHealth);
  }

  @Override
  public boolean forget(String machine, boolean maybePresent, Caller caller) {
    check();
    boolean known = absences.departed().stream().anyMatch(gone -> gone.id().equals(machine));
    absences =
        new AbsentMachines(
            absences.machines(),
            absences.pause(),
            absences.departed().stream().filter(gone -> !gone.id().equals(machine)).toList());
    return known;
  }

  @Override
  public boolean resume(Caller caller) {
    check();
    callers.add(caller);
    boolean paused = absences.pause().isPresent();
    absences = new AbsentMachines(absences.machines(), Optional.empty(), List.of());
    return paused;
  }

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    check();
    callers.add(caller);
    return units.put(puts, caller);
  }

  @Override
  public DestroyResult destroy(UnitName name, DestroyCondition condition, Caller caller) {
    check();
    callers.add(caller);
    return units.destroy(name, condition);
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    check();
    callers.add(caller);
    return units.find(name).isPresent() ? startResult : StartResult.UNKNOWN;
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    return restart(name, caller);
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    check();
    callers.add(caller);
    metadataChanges.addAll(changes);
  }

  final Set<String> agents = new CopyOnWriteArraySet<>();

  @Override
  public Set<String> servers() {
    check();
    return machines.stream()
        .map(MachineView::id)
        .filter(id -> !agents.contains(id))
        .collect(Collectors.toSet());
  }

  @Override
  public ClusterBackup backup() {
    return out -> out.write("a backup\n".getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    check();
    return answers.apply(machine, question);
  }

  @Override
  public EventStream follow(EventsFrom from) {
    check();
    return events.follow(from);
  }
}
