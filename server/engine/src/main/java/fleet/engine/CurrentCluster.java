package fleet.engine;

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
import fleet.cluster.NotLeadingException;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.PlacementReasons;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.Setting;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitRevision;
import fleet.cluster.UnitStates;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.desired.Unit;
import fleet.core.machine.Maintenance;
import fleet.core.metric.Meter;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Registry;
import fleet.registry.Snapshot;
import fleet.registry.backup.RegistryBackup;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The cluster port as this fleetd serves it: commands go to the registry, whoever leads. Queries go
 * to the state of this fleetd's engine while that leads, and else to one that is loaded for them.
 * Safe for use by many threads.
 */
public final class CurrentCluster implements Cluster, Leadership.Candidate, AutoCloseable {

  private final Registry registry;
  private final Clock clock;
  private final EngineCoordination coordination;
  private final StateOwner owner;
  private final StateProvider provider;
  private final UnitCommands unitCommands;
  private final MachineCommands machineCommands;
  private final ConfigCommands configCommands;
  private final OperationCommands operationCommands;
  private final WriteVisibility writes;
  private final EndedUnitStarts endedUnitStarts;
  private final ReadConsistency consistency;

  /** Told if an answer may be stale; empty if stale answers are refused. */
  private final Optional<Consumer<Instant>> stale;

  /**
   * @param registry if machines share it, this serves readers also while another engine leads
   * @param certainty of this engine that it leads, while it does
   * @param onFatal told why this cannot go on: a new process must take over
   */
  public CurrentCluster(
      Registry registry,
      EngineCoordination coordination,
      Certainty certainty,
      EngineSettings settings,
      Clock clock,
      EventLoop.Factory loops,
      Consumer<String> onFatal) {
    this(
        registry,
        coordination,
        certainty,
        settings,
        clock,
        loops,
        onFatal,
        () -> UUID.randomUUID().toString());
  }

  /**
   * @param ids makes a unique id at each call, for incarnations and epochs
   */
  public CurrentCluster(
      Registry registry,
      EngineCoordination coordination,
      Certainty certainty,
      EngineSettings settings,
      Clock clock,
      EventLoop.Factory loops,
      Consumer<String> onFatal,
      Supplier<String> ids) {
    this.registry = registry;
    this.clock = clock;
    this.coordination = coordination;
    this.owner =
        new StateOwner(registry, coordination, certainty, settings, clock, loops, ids, onFatal);
    this.provider = new StateProvider(owner, settings.patience(), clock);
    this.unitCommands = new UnitCommands(registry, clock, () -> new Incarnation(ids.get()));
    this.machineCommands = new MachineCommands(registry, clock);
    this.configCommands = new ConfigCommands(registry);
    this.operationCommands =
        new OperationCommands(registry, clock, () -> new Incarnation(ids.get()));
    this.writes = new WriteVisibility(provider);
    this.endedUnitStarts = new EndedUnitStarts(registry, provider, unitCommands, writes);
    this.consistency = ReadConsistency.ANYBODY;
    this.stale = Optional.empty();
  }

  private CurrentCluster(
      CurrentCluster other, ReadConsistency consistency, Optional<Consumer<Instant>> stale) {
    this.registry = other.registry;
    this.clock = other.clock;
    this.coordination = other.coordination;
    this.owner = other.owner;
    this.provider = other.provider;
    this.unitCommands = other.unitCommands;
    this.machineCommands = other.machineCommands;
    this.configCommands = other.configCommands;
    this.operationCommands = other.operationCommands;
    this.writes = other.writes;
    this.endedUnitStarts = other.endedUnitStarts;
    this.consistency = consistency;
    this.stale = stale;
  }

  /**
   * The same cluster as only the leader serves it: if another engine leads, queries, questions and
   * what follows from them throw {@link fleet.cluster.NotLeadingException}; if another may lead,
   * {@link fleet.cluster.UncertainLeadException}. Only the leader's state has what machines report
   * to it directly.
   */
  public Cluster leading() {
    return new CurrentCluster(this, ReadConsistency.LEADER, stale);
  }

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    return new CurrentCluster(this, consistency, Optional.of(told));
  }

  /** The newest revision of the registry that a command made here; 0 if there was none. */
  public long written() {
    return writes.newest();
  }

  /**
   * Returns once queries here see everything up to a revision.
   *
   * @throws ClusterUnavailableException if that takes long
   */
  public void awaitRevision(long revision) {
    provider.awaitRevision(revision);
  }

  // ---- who leads

  @Override
  public void lead(Leadership.Term term) {
    owner.lead(term);
  }

  @Override
  public void retire(String why) {
    owner.retire(why);
  }

  @Override
  public void keepReady(boolean ready) {
    owner.keepReady(ready);
  }

  /**
   * If this engine leads, returns once a leaving machine has left and its units are given to
   * others: no other engine would do it sooner.
   *
   * @throws ClusterUnavailableException if that takes longer
   */
  public void awaitDeparture(String machine, Duration atMost) {
    owner.awaitDeparture(machine, atMost);
  }

  /** Whether the engine, if it leads, handles new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return owner.answersWithin(time);
  }

  @Override
  public void close() {
    owner.close();
  }

  // ---- queries

  private <T> T query(Function<LiveState, T> question) {
    return stale.isPresent()
        ? provider.queryEvenIfStale(consistency, question, stale.get())
        : provider.query(consistency, question);
  }

  @Override
  public List<UnitView> units() {
    return query(state -> state.views().all());
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return query(state -> state.views().of(name));
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return query(state -> state.views().of(names));
  }

  /** While the engine leads, its own state has them at hand. */
  @Override
  public Map<UnitName, Unit> stored(Set<UnitName> names) {
    try {
      return provider.query(ReadConsistency.LEADER, state -> state.cluster().units().of(names));
    } catch (NotLeadingException e) {
      return unitCommands.stored(names);
    }
  }

  @Override
  public List<UnitRevision> history(UnitName unit, Set<Long> texts) {
    return new UnitHistories(registry).of(unit, texts);
  }

  @Override
  public Optional<String> text(UnitName unit) {
    return new UnitHistories(registry).text(unit);
  }

  @Override
  public Optional<PlacementReasons> why(UnitName unit) {
    return query(state -> state.why(unit));
  }

  @Override
  public List<String> runsOn(UnitName unit) {
    return query(state -> state.runsOn(unit));
  }

  @Override
  public UnitStates states() {
    return query(state -> new UnitStates(state.images().states(), state.cluster().unreported()));
  }

  @Override
  public List<UnitState> reportedStates() {
    return query(state -> state.images().states());
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return query(state -> state.cluster().reports().states(units));
  }

  @Override
  public Map<UnitName, String> unreported(Set<UnitName> units) {
    return query(state -> state.cluster().unreported(units));
  }

  @Override
  public List<MachineView> machines() {
    Set<String> agents = coordination.agents();
    return query(state -> state.machines(agents));
  }

  @Override
  public ClusterCounts tally() {
    return query(LiveState::counts);
  }

  /** The counts if this fleetd's engine leads and has its state; never waits for either. */
  public Optional<ClusterCounts> countsIfLeading() {
    return owner.led(LiveState::counts);
  }

  /** Tells the metrics of this fleetd's own engine and, if it leads, of the cluster. */
  public void tell(Meter meter) throws InterruptedException {
    owner.tell(meter);
  }

  @Override
  public Optional<Instant> leadsSince() {
    return owner.leadsSince();
  }

  @Override
  public AbsentMachines absences() {
    return query(state -> state.missing().absences());
  }

  @Override
  public Optional<StoreHealth> storeHealth() {
    return Optional.of(OptimisticUpdates.available(registry::health));
  }

  @Override
  public List<OperationProgress> operations() {
    return query(state -> state.operations().all());
  }

  @Override
  public Optional<OperationProgress> operation(OperationId id) {
    return query(state -> state.operations().of(id));
  }

  @Override
  public List<Setting> settings() {
    return query(state -> ClusterSettings.all(state.cluster().config()));
  }

  @Override
  public Plan plan(Intent intent) {
    provider.expect(consistency);
    return OptimisticUpdates.available(() -> {
      Snapshot stored = registry.read("");
      // The caller may know of writes that a lagging state does not have.
      writes.await(stored.entries());
      Forecast.Live loader = provider.query(consistency, Forecast.Live::of);
      return new Forecast(registry.storeId(), stored, loader, clock).of(intent);
    });
  }

  @Override
  public Set<String> servers() {
    Set<String> servers =
        machines().stream().map(MachineView::id).collect(Collectors.toCollection(TreeSet::new));
    servers.removeAll(coordination.agents());
    return servers;
  }

  @Override
  public ClusterBackup backup() {
    return OptimisticUpdates.available(() -> RegistryBackup.of(registry, clock)::writeTo);
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    if (consistency == ReadConsistency.LEADER) {
      // Only the leader has machines that report to it and not to the store. What a machine says of
      // itself is never stale.
      provider.expect(consistency);
    }
    return OptimisticUpdates.available(() -> coordination.ask(machine, question));
  }

  @Override
  public EventStream follow(EventsFrom from) {
    return provider.follow(consistency, from);
  }

  // ---- commands

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    return writes.seen(unitCommands.put(puts, caller));
  }

  @Override
  public DestroyResult destroy(UnitName name, DestroyCondition condition, Caller caller) {
    return writes.seen(unitCommands.destroy(name, condition, caller));
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    return writes.seen(unitCommands.restart(name, caller));
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    return endedUnitStarts.start(consistency, name, caller);
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    writes.seen(machineCommands.changeMetadata(changes, caller));
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    return writes.seen(machineCommands.cordon(machine, cordoned, caller));
  }

  @Override
  public Maintenance maintain(String machine, Duration time, Caller caller) {
    Optional<String> hostname =
        machines().stream()
            .filter(view -> view.id().equals(machine))
            .map(view -> view.machine().hostname())
            .findFirst();
    return writes.seen(machineCommands.maintain(machine, time, hostname, caller));
  }

  @Override
  public boolean endMaintenance(String machine, Caller caller) {
    return writes.seen(machineCommands.endMaintenance(machine, caller));
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    return writes.seen(machineCommands.drain(machine, maxUnavailable, caller));
  }

  @Override
  public <R> R begin(NewOperation<R> wanted, Caller caller) {
    return writes.seen(operationCommands.begin(wanted, this::present, caller));
  }

  private <T> T present(Function<LiveState, T> question) {
    return provider.query(consistency, question);
  }

  @Override
  public OperationChanged change(OperationId id, OperationChange change, Caller caller) {
    return writes.seen(operationCommands.change(id, change, caller));
  }

  @Override
  public boolean forget(String machine, boolean maybePresent, Caller caller) {
    return writes.seen(machineCommands.forget(machine, maybePresent));
  }

  @Override
  public boolean resume(Caller caller) {
    return writes.seen(machineCommands.resume(caller));
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    return writes.seen(configCommands.set(setting, value, caller));
  }

  @Override
  public Optional<String> unset(String setting, Caller caller) {
    return writes.seen(configCommands.unset(setting, caller));
  }
}
