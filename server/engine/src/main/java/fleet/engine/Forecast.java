package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.DestroyCondition;
import fleet.cluster.Intent;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.Plan;
import fleet.cluster.UnitPut;
import fleet.core.machine.Machine;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.state.ChangedSubject;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ReportPath;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.RebalanceRecord;
import fleet.scheduler.RebalanceSolver;
import fleet.scheduler.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Simulates what would follow from a request: the engine's own decisions on a copy of its state,
 * with machines that do at once what they are told. Nothing of it reaches the cluster. For one
 * thread, and for one intent.
 */
final class Forecast {

  /** Ends even if units displace each other for ever. */
  private static final int TURNS_AT_LEAST = 1_000;

  private static final int TURNS_OF_A_UNIT = 20;

  private static final Caller PLANNER = new Caller("plan");
  private static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "", 0, Instant.EPOCH);

  private final Clock clock;
  private final ForkedRegistry registry;
  private final LiveState state = LiveState.empty(new Scheduler().foreseen());
  private final ClusterState cluster = state.cluster();
  private final MissingMachines missing = state.missing();
  private final SchedulerState schedulerState = state.schedulerState();
  private final WorkQueue queue = state.queue();
  private final Decider decider;

  /** The units whose machine has not yet done what it was told. */
  private final Set<UnitName> told = new LinkedHashSet<>();

  /**
   * The part of the state that is in no key of the registry.
   *
   * @param machines that are there
   * @param states what they say of units
   * @param refusals units that they would not take
   * @param missing the absent machines
   */
  record Live(
      List<Machine> machines,
      List<UnitState> states,
      List<RefusedUnit> refusals,
      MissingMachines.Memory missing) {

    /** A unit that a machine would not take. */
    record RefusedUnit(String machine, AgentReport.Refused report) {}

    static Live of(LiveState state) {
      List<RefusedUnit> refusals = new ArrayList<>();
      for (KnownUnit known : state.cluster().units().all()) {
        state
            .cluster()
            .reports()
            .refusals(known)
            .forEach((machine, why) ->
                refusals.add(
                    new RefusedUnit(
                        machine,
                        new AgentReport.Refused(
                            known.unit().name(), known.unit().incarnation(), 0, why))));
      }
      return new Live(
          state.images().machines(), state.images().states(), refusals, state.missing().memory());
    }
  }

  Forecast(String storeId, Snapshot stored, Live live, Clock clock) {
    this.clock = clock;
    this.decider = new Decider(state, clock);
    List<Entry> durable = stored.entries().stream().filter(Forecast::isDurable).toList();
    this.registry =
        new ForkedRegistry(storeId, new Snapshot(stored.revision(), durable), new Followed());
    durable.forEach(this::take);
    missing.remember(live.missing());
    for (Machine machine : live.machines()) {
      boolean _ = cluster.machines().present(ReportPath.DIRECT, machine);
      queue.machineChanged(machine.id());
    }
    for (UnitState state : live.states()) {
      var _ = cluster.reports().stated(state);
      cluster.ended().stated(state, 0);
      queue.touch(state.unit());
    }
    for (Live.RefusedUnit refused : live.refusals()) {
      boolean _ = cluster.reports().refused(refused.report(), refused.machine());
    }
    told.clear();
    cluster.schedule().all().stream()
        .filter(this::isUnderWay)
        .forEach(placed -> told.add(placed.entry().unit()));
    // Changes already under way are not caused by the intent.
    settle();
  }

  /** A unit that has failed, or has ended, stays so. */
  private boolean isUnderWay(ScheduledUnit placed) {
    UnitState state = cluster.reports().state(placed.entry().unit(), placed.machine());
    return placed.record().target() == TargetState.STOPPING
        || state == null
        || state.systemd().isChanging()
        || state.restartCounter() < placed.record().restartCounter();
  }

  /** Machines and their reports come from the state instead. */
  private static boolean isDurable(Entry entry) {
    return !entry.key().startsWith(Keys.MACHINES) && !entry.key().startsWith(Keys.STATES);
  }

  Plan of(Intent intent) {
    var before = PlacementSnapshot.of(state);
    switch (intent) {
      case Intent.Put put -> {
        var numbers = new AtomicLong();
        var commands =
            new UnitCommands(
                registry, clock, () -> new Incarnation("planned-" + numbers.incrementAndGet()));
        List<UnitName> again =
            put.puts().stream().filter(this::startsAgain).map(UnitPut::name).toList();
        var _ = commands.put(put.puts(), PLANNER);
        again.forEach(unit -> commands.restart(unit, PLANNER));
      }
      case Intent.Destroy destroy -> {
        var commands = new UnitCommands(registry, clock, () -> new Incarnation("none"));
        destroy.units().stream()
            .sorted()
            .forEach(unit -> commands.destroy(unit, DestroyCondition.NONE, PLANNER));
      }
      case Intent.Drain drain -> {
        var _ =
            new MachineCommands(registry, clock)
                .drain(drain.machine(), drain.maxUnavailable(), PLANNER);
      }
      case Intent.Lose lose -> lose(lose.machine());
      case Intent.Rebalance wish -> {
        return of(wish, before);
      }
    }
    settle();
    List<Plan.Change> changes = before.changes(PlacementSnapshot.of(state));
    if (intent instanceof Intent.Drain drain) {
      changes = new ArrayList<>(changes);
      changes.addAll(staying(drain.machine()));
    }
    return new Plan(changes);
  }

  private Plan of(Intent.Rebalance wish, PlacementSnapshot before) {
    RebalancePlanner planner = RebalancePlanner.of(state);
    Optional<String> refusal = planner.refusal();
    if (refusal.isPresent()) {
      return Plan.refused(refusal.get());
    }
    RebalancePlanner.Proposal proposal = planner.propose(wish);
    RebalanceSolver.Result result = proposal.result();
    // Operations do not run in a forecast.
    var record =
        new RebalanceRecord(
            new Operation(OperationId.REBALANCE, "", clock.instant(), "", wish.maxUnavailable()),
            wish.within(),
            result.moves());
    var _ =
        registry.commit(
            Transaction.when().put(Keys.operation(OperationId.REBALANCE), record.json()).build());
    settle();
    Map<UnitName, String> reasons = new HashMap<>();
    result.steps().forEach(step -> reasons.put(step.move().unit(), step.why()));
    List<Plan.Change> changes = new ArrayList<>();
    for (Plan.Change change : before.changes(PlacementSnapshot.of(state))) {
      changes.add(change.kind() == Plan.Kind.MOVED ? because(change, reasons) : change);
    }
    changes.addAll(notMoved(record));
    return new Plan(
        changes,
        Optional.of(new Plan.Evening(result.before(), schedulerState.evenness(), proposal.rest())),
        "");
  }

  private static Plan.Change because(Plan.Change change, Map<UnitName, String> reasons) {
    String why = reasons.getOrDefault(change.unit(), change.why());
    return new Plan.Change(change.unit(), change.kind(), change.from(), change.to(), why);
  }

  private List<Plan.Change> notMoved(RebalanceRecord record) {
    return new Rebalances(state)
        .progress(record).steps().stream()
            .filter(step -> step.standing() != Standing.DONE)
            .map(Forecast::stays)
            .toList();
  }

  private static Plan.Change stays(Step step) {
    return new Plan.Change(step.unit(), Plan.Kind.STAYS, step.from(), "", step.detail());
  }

  /** A request to start a unit that has ended starts it again. */
  private boolean startsAgain(UnitPut put) {
    Collection<UnitState> states = cluster.reports().states(put.name()).values();
    return put.desired().equals(Optional.of(DesiredState.LAUNCHED))
        && cluster
            .units()
            .of(put.name())
            .filter(known -> known.unit().desired() == DesiredState.LAUNCHED)
            .filter(known -> known.hasEnded() || hasEnded(known, states))
            .isPresent();
  }

  private static boolean hasEnded(KnownUnit known, Collection<UnitState> states) {
    return !states.isEmpty()
        && states.stream().noneMatch(state -> state.runs(known.unit().restartCounter()));
  }

  private void lose(String machine) {
    cluster.ended().went(machine, Duration.ZERO, 0);
    for (UnitName unit : cluster.reports().withdrawAll(machine)) {
      queue.touch(unit);
    }
    cluster.machines().absent(ReportPath.DIRECT, machine);
    queue.machineGone(machine);
    missing.lose(machine);
    queue.touchUnitsOf(machine);
  }

  private List<Plan.Change> staying(String machine) {
    return new Drains(state)
        .progress(machine).stream()
            .flatMap(progress -> progress.steps().stream())
            .filter(step -> step.standing() != Standing.EXEMPT && !step.detail().isEmpty())
            .map(Forecast::stays)
            .toList();
  }

  // ---- what the engine and the machines do

  private void settle() {
    int most = TURNS_AT_LEAST + TURNS_OF_A_UNIT * cluster.units().all().size();
    for (int turn = 0; turn < most; turn++) {
      decider.decide().forEach(this::write);
      if (!doAsTold() && queue.isEmpty()) {
        return;
      }
    }
  }

  /** There is no other writer here, so no write is refused. */
  private void write(Decisions decisions) {
    if (!decisions.writes().isEmpty()
        && registry.commit(decisions.writes().transaction(0)) instanceof Outcome.Refused refused) {
      throw new IllegalStateException("a plan met another's write: " + refused.condition());
    }
  }

  /** Returns whether there was something to do. */
  private boolean doAsTold() {
    List<UnitName> units = List.copyOf(told);
    told.clear();
    boolean done = false;
    for (UnitName unit : units) {
      done |= cluster.schedule().of(unit).filter(this::doAsTold).isPresent();
    }
    return done;
  }

  private boolean doAsTold(ScheduledUnit placed) {
    UnitName unit = placed.entry().unit();
    String machine = placed.machine();
    if (!cluster.isThere(machine)) {
      return false;
    }
    if (placed.record().target() == TargetState.STOPPING) {
      var gone =
          new AgentReport.Gone(unit, placed.entry().incarnation(), placed.entry().revision());
      boolean _ = cluster.reports().gone(machine, gone);
    } else {
      var _ = cluster.reports().stated(state(placed));
    }
    queue.touch(unit);
    queue.stateChanged(unit);
    return true;
  }

  private static UnitState state(ScheduledUnit placed) {
    boolean launched = placed.record().target() == TargetState.LAUNCHED;
    return new UnitState(
        placed.entry().unit(),
        placed.machine(),
        placed.record().incarnation(),
        placed.record().hash(),
        launched ? DesiredState.LAUNCHED : DesiredState.LOADED,
        placed.record().restartCounter(),
        launched ? RUNNING : SystemdState.DEAD,
        "");
  }

  // ---- what is written

  private final class Followed implements ForkedRegistry.Listener {
    @Override
    public void written(Entry entry) {
      take(entry);
    }

    @Override
    public void deleted(String key) {
      touch(cluster.deleted(key));
    }
  }

  private void take(Entry entry) {
    touch(cluster.written(entry));
  }

  private void touch(ChangedSubject what) {
    switch (what) {
      case ChangedSubject.OfUnits of -> of.units().forEach(this::touchUnit);
      case ChangedSubject.Mended mended -> mended.units().forEach(this::touchUnit);
      case ChangedSubject.Scheduled scheduled -> {
        queue.scheduleChanged(scheduled.unit(), scheduled.machine());
        told.add(scheduled.unit());
      }
      case ChangedSubject.Global global -> queue.globalChanged(global.unit());
      case ChangedSubject.OfMachine machine -> queue.machineChanged(machine.machine());
      case ChangedSubject.Configured _ -> queue.configured();
      case ChangedSubject.Unconfigured _ -> queue.configured();
      case ChangedSubject.OfOperation operation -> operation.units().forEach(queue::touch);
      case ChangedSubject.Nothing _,
          ChangedSubject.PlacedBecause _,
          ChangedSubject.Commanded _,
          ChangedSubject.Came _,
          ChangedSubject.Went _,
          ChangedSubject.Reported _,
          ChangedSubject.Withdrawn _,
          ChangedSubject.Offered _,
          ChangedSubject.Bidden _,
          ChangedSubject.Leader _,
          ChangedSubject.Pause _ -> {}
    }
  }

  private void touchUnit(UnitName unit) {
    queue.touch(unit);
    queue.stateChanged(unit);
  }
}
