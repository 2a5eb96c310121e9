package fleet.engine;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.IncarnationSeal;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction.Condition;
import fleet.registry.records.Keys;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leading engine: sees every change of the registry and every report of a machine, decides what
 * follows, and writes it.
 *
 * <p>The engine runs on the state thread. Decisions are written in batches, a few at a time, beside
 * it; what was written comes back through the watch like any other change, and only then counts. So
 * the state is never ahead of the registry, and a write that fails needs no undoing. Every write
 * holds only while this engine leads, and while the registry is as the state has it.
 */
public final class Engine implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Engine.class);

  /** How long the engine leaves a unit alone if the decision about it throws. */
  private static final Duration RETRY_FAILED = Duration.ofMinutes(1);

  private final Registry registry;
  private final EngineCoordination coordination;
  private final EngineSettings settings;
  private final Leadership.Term term;
  private final StateLoader loader;
  private final Consumer<String> onEnd;
  private final EventLoop loop;
  private final ClusterState cluster;
  private final MachineFailureController failures;
  private final Decider decider;
  private final WorkQueue queue;
  private final LeaderWrites writes;
  private final UnusedFiles unusedFiles;
  private final ScheduleDispatch dispatch;
  private final OfferDispatch offerDispatch;
  private final StandbyOffer standby;
  private final OperationLead operations;
  private final Supplier<Incarnation> incarnations;
  private final EngineMetrics metrics;

  private final Map<String, CompletableFuture<Void>> departures = new HashMap<>();
  private long writtenUpTo;
  private int underWay;
  private boolean allWritten;
  private boolean deposed;
  private boolean ready;
  private int failuresInARow;

  /**
   * @param incarnations makes a new one at each call
   * @param loader the engine's from now on
   * @param onEnd told why this engine cannot go on: a new one must be made
   * @param metrics of this process, which count this engine's work as well
   */
  Engine(
      Registry registry,
      EngineCoordination coordination,
      EngineSettings settings,
      Leadership.Term term,
      Clock clock,
      Supplier<Incarnation> incarnations,
      StateLoader loader,
      Consumer<String> onEnd,
      EngineMetrics metrics) {
    this.registry = registry;
    this.coordination = coordination;
    this.settings = settings;
    this.term = term;
    this.loader = loader;
    this.onEnd = onEnd;
    this.metrics = metrics;
    this.incarnations = incarnations;
    this.loop = loader.loop();
    this.cluster = loader.state().cluster();
    this.writes = new LeaderWrites(registry, loop, term);
    this.unusedFiles = new UnusedFiles(cluster, writes);
    this.failures = new MachineFailureController(loader, writes, settings, term, clock);
    this.decider = new Decider(loader.state(), clock);
    this.queue = loader.state().queue();
    this.dispatch = new ScheduleDispatch(cluster, coordination);
    this.offerDispatch = new OfferDispatch(coordination, cluster, loader.state().offers(), writes);
    this.standby = new StandbyOffer(writes, cluster, loop, settings.standby());
    this.operations = new OperationLead(registry, loader, writes, clock, incarnations);
  }

  /**
   * Loads the registry and begins to lead.
   *
   * @throws RegistryException if the registry cannot be read
   */
  void start() {
    loader.follow(new Leading());
    begin();
  }

  /** Begins to lead with a state that follows the registry already. */
  void takeOver() {
    loader.run(() -> loader.turnTo(new Leading()));
    begin();
  }

  private void begin() {
    IncarnationSeal.provide(registry, () -> incarnations.get().id());
    coordination.lead(term, loader.listener());
    loop.call(() -> {
      failures.begin();
      loader.state().offers().lead(loader.revision(), loop);
      offerDispatch.begin();
      operations.begin(failures.grace(), failures::timeToCome);
      ready = true;
      return null;
    });
    loop.postEvery(settings.safetyPass(), queue::safetyPass);
  }

  StateLoader loader() {
    return loader;
  }

  /** Whether the engine gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return loop.answersWithin(time);
  }

  /**
   * Returns once a leaving machine has left, and all that follows is written; if nobody would lead
   * after this engine, also once the other machines have begun with it.
   *
   * @throws ClusterUnavailableException if that takes longer
   * @throws StateClosedException if this engine is closed meanwhile
   */
  void awaitDeparture(String machine, Duration atMost) {
    var settled = new CompletableFuture<Void>();
    boolean _ =
        loader.query(_ -> {
          departures.put(machine, settled);
          return true;
        });
    loader.await(settled, atMost, "machine " + machine + " leaves, and where its units go is open");
  }

  private boolean hasDeparted(String machine, long revision) {
    return !cluster.isThere(machine)
        && queue.isEmpty()
        && isSettled(revision)
        && failures.isDepartureRecorded(machine)
        && (writes.othersMayLead() || cluster.schedule().all().stream().allMatch(this::hasBegun));
  }

  /** Whether the machine that is to have a unit, if it is present, carries out its entry. */
  private boolean hasBegun(ScheduledUnit placed) {
    UnitState state = cluster.reports().state(placed.entry().unit(), placed.machine());
    return !cluster.isThere(placed.machine())
        || (state != null
            && state.incarnation().equals(placed.entry().incarnation())
            && (placed.entry().target() != TargetState.LAUNCHED
                || state.performed() == DesiredState.LAUNCHED));
  }

  /** Stops deciding; nothing that runs is touched. */
  @Override
  public void close() {
    coordination.retire();
    loader.close();
    departures.values().forEach(settled -> settled.cancel(false));
  }

  // ---- what follows

  /** Whether all that was decided has been written, and has come back. */
  private boolean isSettled(long revision) {
    return underWay == 0 && writtenUpTo <= revision;
  }

  private void decide(long revision) {
    if (!ready || deposed || !isSettled(revision)) {
      return;
    }
    long begun = loop.nanoTime();
    List<Decisions> batches = decider.decide();
    metrics.decided(batches, loop.nanoTime() - begun);
    batches.forEach(batch -> batch.considered().forEach(loader::touched));
    for (UnitName failed : decider.takeFailed()) {
      loader.touched(failed);
      loop.postAfter(RETRY_FAILED, () -> queue.takeUp(failed));
    }
    List<Decisions> toWrite = batches.stream().filter(batch -> !batch.writes().isEmpty()).toList();
    if (!toWrite.isEmpty()) {
      underWay = toWrite.size();
      allWritten = true;
      toWrite.forEach(this::write);
      standby.worked();
    } else if (!queue.isEmpty()) {
      anotherTurn();
    }
    unusedFiles.remove();
  }

  /** If nothing was written, no event triggers the next batch. */
  private void anotherTurn() {
    loop.post(() -> {});
  }

  private void write(Decisions decisions) {
    writes.write(
        "engine-write",
        decisions.writes().transaction(writes.token()),
        outcome -> decided(decisions, outcome),
        e -> {
          if (e instanceof OutcomeUnknownException unknown) {
            settle(decisions, unknown);
          } else {
            notWritten(decisions, e);
          }
        });
  }

  /**
   * A transaction may still be written late, and must not count as not written. The registry
   * carries out no write of this writer after one sent later, so one more write proves that it is
   * over. Until then nothing is decided, and machines that lose units are told nothing.
   */
  private void settle(Decisions decisions, OutcomeUnknownException why) {
    writes.write(
        "engine-settle",
        writes.fenced().put(Keys.SETTLED, Long.toString(writes.token())).build(),
        outcome -> settled(decisions, outcome, why),
        e -> {
          log.warn("whether decisions were written is not known yet: {}", e.getMessage());
          writes.later(() -> settle(decisions, why));
        });
  }

  private void settled(Decisions decisions, Outcome outcome, OutcomeUnknownException why) {
    if (outcome instanceof Outcome.Committed committed) {
      writtenUpTo = Math.max(writtenUpTo, committed.revision());
    } else {
      depose();
    }
    notWritten(decisions, why);
  }

  private void decided(Decisions decisions, Outcome outcome) {
    failuresInARow = 0;
    underWay--;
    switch (outcome) {
      case Outcome.Committed committed -> {
        decisions.log();
        metrics.written(decisions);
        writtenUpTo = Math.max(writtenUpTo, committed.revision());
        if (underWay == 0 && allWritten) {
          decider.written();
        }
      }
      case Outcome.Refused refused -> refused(decisions, refused.condition());
    }
  }

  private void refused(Decisions decisions, Condition condition) {
    String key = condition.key();
    if (key.equals(Keys.LEADER)) {
      depose();
      return;
    }
    log.info("not written, as key {} is not what it was: looking again at what it concerns", key);
    metrics.notWritten(decisions);
    decider.undo(decisions);
    if (!isKnownOtherwise(condition)) {
      decisions.writes().units().stream()
          .filter(unit -> concerns(key, unit, decisions))
          .forEach(this::setAside);
    }
  }

  /** Whether the state already has the conflicting change of a unit. */
  private boolean isKnownOtherwise(Condition condition) {
    return condition instanceof Condition.Unmodified(String key, long modified)
        && key.startsWith(Keys.UNITS)
        && cluster
            .units()
            .of(Keys.unitOf(key))
            .filter(known -> known.stored().revision() == modified)
            .isEmpty();
  }

  private boolean concerns(String key, UnitName unit, Decisions decisions) {
    if (key.startsWith(Keys.MACHINES)) {
      String machine = Keys.machineOf(key);
      return cluster
          .schedule()
          .of(unit)
          .filter(placed -> placed.machine().equals(machine))
          .isPresent();
    }
    return decisions.writes().conditionedBy(key).equals(Optional.of(unit));
  }

  private void setAside(UnitName unit) {
    queue.setAside(unit);
    writes.later(() -> queue.takeUp(unit));
  }

  /**
   * If one of the units is at fault, smaller batches find it. If the registry is, only time helps.
   */
  private void notWritten(Decisions decisions, RuntimeException why) {
    int units = decisions.writes().units().size();
    log.error("cannot write the decisions about {} units: {}", units, why.getMessage());
    failuresInARow++;
    allWritten = false;
    metrics.notWritten(decisions);
    decider.undo(decisions);
    decider.halve(decisions);
    if (units == 1) {
      decisions.writes().units().forEach(this::setAside);
    }
    if (units == 1 && failuresInARow > 1) {
      writes.later(() -> underWay--);
    } else {
      underWay--;
    }
  }

  /** Another engine leads, or may lead: this one must write nothing more. */
  private void depose() {
    if (!deposed) {
      deposed = true;
      log.warn("this engine leads no longer: another does, or its lease is over; deciding nothing");
    }
  }

  private final class Leading implements StateListener {
    @Override
    public void scheduled(UnitName unit, String machine) {
      dispatch.touched(machine, unit);
      if (ready && cluster.schedule().of(unit).isPresent()) {
        failures.missed(machine);
      }
    }

    @Override
    public void globalChanged(UnitName unit) {
      dispatch.touchedGlobal(unit);
    }

    @Override
    public void machineChanged(Machine machine, boolean came) {
      String id = machine.id();
      if (came) {
        log.info("machine {} is there", id);
      }
      failures.came(id, came);
      dispatch.greet(id);
      offerDispatch.greet(id);
      operations.machinesChanged();
    }

    @Override
    public void machineWent(String id, Optional<Machine> before, boolean left) {
      log.info("machine {} is gone", id);
      failures.went(id, before, left);
      operations.machinesChanged();
    }

    @Override
    public void duplicate(Machine refused, Machine there) {
      log.error(
          "two machines have the id {}: one with public IP \"{}\" and boot id {}, which stays, and"
              + " one with public IP \"{}\" and boot id {}, which is refused. If it is not the same"
              + " machine before it booted, give one of the two another id: remove /etc/machine-id"
              + " there, run systemd-machine-id-setup and reboot it",
          there.id(),
          there.publicIp(),
          there.bootId(),
          refused.publicIp(),
          refused.bootId());
      coordination.occupied(refused, there);
    }

    @Override
    public void silent(String id) {
      coordination.vacant(id);
    }

    @Override
    public void machinesDoubtful(Set<String> ids, Duration within) {
      failures.doubtful(ids, within);
    }

    @Override
    public void leaderChanged(Optional<Entry> leader) {
      if (term.token() != 0 && leader.filter(entry -> entry.created() == term.token()).isEmpty()) {
        depose();
      }
    }

    @Override
    public void settingsChanged(String machine) {
      failures.maintenanceChanged(machine);
    }

    @Override
    public void pauseChanged() {
      failures.pauseChanged();
    }

    @Override
    public void operationChanged(OperationId id) {
      operations.changed(id);
    }

    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public void unreadable(String what) {
      log.error("{}", what);
    }

    @Override
    public void ended(String why) {
      onEnd.accept(why);
    }

    @Override
    public void onTurnEnd(long revision) {
      dispatch.send(isSettled(revision));
      if (ready && !deposed) {
        failures.settle();
        standby.reconcile();
      }
      decide(revision);
      offerDispatch.send();
      if (ready && !deposed) {
        operations.reconcile(loader.touched(), revision);
        if (isSettled(revision)) {
          failures.recordDepartures();
        }
      }
      departures
          .entrySet()
          .removeIf(departure ->
              hasDeparted(departure.getKey(), revision) && departure.getValue().complete(null));
    }
  }
}
