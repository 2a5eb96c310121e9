package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.cluster.RebalanceProgress;
import fleet.cluster.UnitPut;
import fleet.core.machine.Machine;
import fleet.core.operation.Rebalance;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.engine.picture.Placed;
import fleet.engine.picture.Touched;
import fleet.engine.picture.Way;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.RebalanceRecord;
import fleet.scheduler.Rebalancing;
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
 * Tries out what would follow if something were asked for: the engine's own decisions, on a copy of
 * all that the engine knows, with machines that do at once what they are told. Nothing of it
 * reaches the cluster. For one thread, and for one intent.
 */
final class Forecast {

  /** Where units displace each other for ever, it comes to an end all the same. */
  private static final int TURNS_AT_LEAST = 1_000;

  private static final int TURNS_OF_A_UNIT = 20;

  private static final Caller PLANNER = new Caller("plan");
  private static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "", 0, Instant.EPOCH);

  private final Clock clock;
  private final ForkedRegistry registry;
  private final ClusterPicture picture = new ClusterPicture();
  private final Views views = new Views(picture);
  private final MissingMachines missing = new MissingMachines(picture);
  private final Room room = new Room(picture, new Scheduler().foreseen());
  private final Agenda agenda = new Agenda(picture, room);
  private final Decider decider;

  /** The units whose machine has not done yet what it is told. */
  private final Set<UnitName> told = new LinkedHashSet<>();

  /**
   * The part of the picture that is in no key of the registry.
   *
   * @param machines that are there
   * @param states what they say of units
   * @param refusals units that they would not take
   * @param missing what is made of those that are not there
   */
  record Live(
      List<Machine> machines,
      List<UnitState> states,
      List<RefusedUnit> refusals,
      MissingMachines.Memory missing) {

    /** A unit that a machine would not take. */
    record RefusedUnit(String machine, AgentReport.Refused report) {}

    static Live of(LivePicture.Reading reading) {
      List<RefusedUnit> refusals = new ArrayList<>();
      for (KnownUnit known : reading.picture().units()) {
        reading
            .picture()
            .refusals(known)
            .forEach((machine, why) ->
                refusals.add(
                    new RefusedUnit(
                        machine,
                        new AgentReport.Refused(
                            known.unit().name(), known.unit().incarnation(), 0, why))));
      }
      return new Live(
          reading.images().machines(),
          reading.images().states(),
          refusals,
          reading.missing().memory());
    }
  }

  Forecast(String storeId, Snapshot stored, Live live, Clock clock) {
    this.clock = clock;
    this.decider =
        new Decider(
            picture, missing, views, agenda, room, new Offers(picture, room, agenda), clock);
    List<Entry> durable = stored.entries().stream().filter(Forecast::isDurable).toList();
    this.registry =
        new ForkedRegistry(storeId, new Snapshot(stored.revision(), durable), new Followed());
    durable.forEach(this::take);
    missing.remember(live.missing());
    for (Machine machine : live.machines()) {
      boolean _ = picture.present(Way.DIRECT, machine);
      agenda.machineChanged(machine.id());
    }
    for (UnitState state : live.states()) {
      var _ = picture.stated(state);
      picture.endings().stated(state, 0);
      agenda.touch(state.unit());
    }
    for (Live.RefusedUnit refused : live.refusals()) {
      boolean _ = picture.refused(refused.report(), refused.machine());
    }
    told.clear();
    picture.schedule().stream()
        .filter(this::isUnderWay)
        .forEach(placed -> told.add(placed.entry().unit()));
    // Changes already under way are not what the intent brings.
    settle();
  }

  /** A unit that has failed, or has ended, stays so. */
  private boolean isUnderWay(Placed placed) {
    UnitState state = picture.state(placed.entry().unit(), placed.machine());
    return placed.record().target() == Target.STOPPING
        || state == null
        || state.systemd().isChanging()
        || state.restartCounter() < placed.record().restartCounter();
  }

  /** Machines and their reports of units come from the picture, which knows better. */
  private static boolean isDurable(Entry entry) {
    return !entry.key().startsWith(Keys.MACHINES) && !entry.key().startsWith(Keys.STATES);
  }

  Plan of(Intent intent) {
    var before = Standings.of(picture, room, views);
    switch (intent) {
      case Intent.Put put -> {
        var numbers = new AtomicLong();
        var commands =
            new UnitCommands(
                registry, clock, () -> new Incarnation("planned-" + numbers.incrementAndGet()));
        List<UnitName> again =
            put.puts().stream().filter(this::startsAgain).map(UnitPut::name).toList();
        var _ = commands.put(put.puts(), PLANNER);
        again.forEach(unit -> commands.startAnew(unit, PLANNER));
      }
      case Intent.Destroy destroy -> {
        var commands = new UnitCommands(registry, clock, () -> new Incarnation("none"));
        destroy.units().stream().sorted().forEach(unit -> commands.destroy(unit, PLANNER));
      }
      case Intent.Drain drain -> {
        var _ =
            new MachineCommands(registry).drain(drain.machine(), drain.maxUnavailable(), PLANNER);
      }
      case Intent.Lose lose -> lose(lose.machine());
      case Intent.Rebalance wish -> {
        return of(wish, before);
      }
    }
    settle();
    List<Plan.Change> changes = before.changes(Standings.of(picture, room, views));
    if (intent instanceof Intent.Drain drain) {
      changes = new ArrayList<>(changes);
      changes.addAll(staying(drain.machine()));
    }
    return new Plan(changes);
  }

  private Plan of(Intent.Rebalance wish, Standings before) {
    RebalancePlanner planner = RebalancePlanner.of(picture, views, room);
    Optional<String> refusal = planner.refusal();
    if (refusal.isPresent()) {
      return Plan.refused(refusal.get());
    }
    RebalancePlanner.Proposal proposal = planner.propose(wish);
    Rebalancing.Result result = proposal.result();
    // Nobody asks for it, and whatever went on before is over here.
    var record =
        new RebalanceRecord(
            new Rebalance(wish.within(), wish.maxUnavailable(), ""), result.moves());
    var _ = registry.commit(Transaction.when().put(Keys.REBALANCE, record.json()).build());
    settle();
    Map<UnitName, String> reasons = new HashMap<>();
    result.steps().forEach(step -> reasons.put(step.move().unit(), step.why()));
    List<Plan.Change> changes = new ArrayList<>();
    for (Plan.Change change : before.changes(Standings.of(picture, room, views))) {
      changes.add(change.kind() == Plan.Kind.MOVED ? because(change, reasons) : change);
    }
    changes.addAll(notMoved());
    return new Plan(
        changes,
        Optional.of(new Plan.Evening(result.before(), room.evenness(), proposal.rest())),
        "");
  }

  private static Plan.Change because(Plan.Change change, Map<UnitName, String> reasons) {
    String why = reasons.getOrDefault(change.unit(), change.why());
    return new Plan.Change(change.unit(), change.kind(), change.from(), change.to(), why);
  }

  private List<Plan.Change> notMoved() {
    return new Rebalances(picture, views, room)
        .progress().stream()
            .flatMap(progress -> progress.units().stream())
            .filter(unit -> unit.standing() != RebalanceProgress.Standing.MOVED)
            .map(unit ->
                new Plan.Change(
                    unit.move().unit(), Plan.Kind.STAYS, unit.move().from(), "", unit.why()))
            .toList();
  }

  /** A unit that is to run and has ended is started again by who asks for a start. */
  private boolean startsAgain(UnitPut put) {
    Collection<UnitState> states = picture.states(put.name()).values();
    return put.desired().equals(Optional.of(DesiredState.LAUNCHED))
        && picture
            .unit(put.name())
            .filter(known -> known.unit().desired() == DesiredState.LAUNCHED)
            .filter(known -> known.hasEnded() || hasEnded(known, states))
            .isPresent();
  }

  private static boolean hasEnded(KnownUnit known, Collection<UnitState> states) {
    return !states.isEmpty()
        && states.stream().noneMatch(state -> state.runs(known.unit().restartCounter()));
  }

  private void lose(String machine) {
    picture.endings().went(machine, Duration.ZERO, 0);
    for (UnitName unit : picture.withdrawAll(machine)) {
      agenda.touch(unit);
    }
    picture.absent(Way.DIRECT, machine);
    agenda.machineGone(machine);
    missing.lose(machine);
    agenda.touchUnitsOf(machine);
  }

  private List<Plan.Change> staying(String machine) {
    List<Plan.Change> staying = new ArrayList<>();
    new Drains(picture, views, room)
        .progress(machine)
        .ifPresent(progress ->
            progress.units().stream()
                .filter(unit -> !unit.why().isEmpty())
                .map(unit -> new Plan.Change(unit.unit(), Plan.Kind.STAYS, machine, "", unit.why()))
                .forEach(staying::add));
    return staying;
  }

  // ---- what the engine and the machines do

  private void settle() {
    int most = TURNS_AT_LEAST + TURNS_OF_A_UNIT * picture.units().size();
    for (int turn = 0; turn < most; turn++) {
      decider.decide().forEach(this::write);
      if (!doAsTold() && agenda.isEmpty()) {
        return;
      }
    }
  }

  /** Nobody else writes here, so that nothing is refused. */
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
      done |= picture.placed(unit).filter(this::doAsTold).isPresent();
    }
    return done;
  }

  private boolean doAsTold(Placed placed) {
    UnitName unit = placed.entry().unit();
    String machine = placed.machine();
    if (!picture.isThere(machine)) {
      return false;
    }
    if (placed.record().target() == Target.STOPPING) {
      var gone =
          new AgentReport.Gone(unit, placed.entry().incarnation(), placed.entry().revision());
      boolean _ = picture.gone(machine, gone);
    } else {
      var _ = picture.stated(state(placed));
    }
    agenda.touch(unit);
    agenda.stateChanged(unit);
    return true;
  }

  private static UnitState state(Placed placed) {
    boolean launched = placed.record().target() == Target.LAUNCHED;
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
      touch(picture.deleted(key));
    }
  }

  private void take(Entry entry) {
    touch(picture.written(entry));
  }

  private void touch(Touched what) {
    switch (what) {
      case Touched.OfUnits of -> of.units().forEach(this::touchUnit);
      case Touched.Mended mended -> mended.units().forEach(this::touchUnit);
      case Touched.Scheduled scheduled -> {
        agenda.scheduleChanged(scheduled.unit(), scheduled.machine());
        told.add(scheduled.unit());
      }
      case Touched.Global global -> agenda.globalChanged(global.unit());
      case Touched.OfMachine machine -> agenda.machineChanged(machine.machine());
      case Touched.Configured _ -> agenda.configured();
      case Touched.Unconfigured _ -> agenda.configured();
      case Touched.Rebalanced rebalanced -> agenda.rebalanced(rebalanced.units());
      case Touched.Nothing _,
          Touched.Rollout _,
          Touched.PlacedBecause _,
          Touched.Commanded _,
          Touched.Came _,
          Touched.Went _,
          Touched.Reported _,
          Touched.Withdrawn _,
          Touched.Offered _,
          Touched.Bidden _,
          Touched.Leader _,
          Touched.Pause _ -> {}
    }
  }

  private void touchUnit(UnitName unit) {
    agenda.touch(unit);
    agenda.stateChanged(unit);
  }
}
