package fleet.engine;

import fleet.cluster.Absences;
import fleet.cluster.Cause;
import fleet.cluster.DrainProgress;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.cluster.Reasons;
import fleet.cluster.RebalanceProgress;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.event.EventLog;
import fleet.engine.state.ClusterState;
import fleet.engine.state.Touched;
import fleet.engine.state.Way;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.LeaderRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the cluster on an event loop of its own: it follows the registry and the machines'
 * reports, tells readers what changes, and has a {@link Mind} make something of it.
 */
final class StateLoader implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StateLoader.class);

  /** Acts on the state. Everything is called on the state's loop. */
  interface Mind {

    void scheduled(UnitName unit, String machine);

    void globalChanged(UnitName unit);

    /**
     * A machine is described, be it otherwise than before or not.
     *
     * @param came whether it was not there before
     */
    void machineChanged(Machine machine, boolean came);

    /**
     * A machine went.
     *
     * @param before empty where nothing was known of it but that it is there
     * @param left whether it said that it goes
     */
    void machineWent(String id, Optional<Machine> before, boolean left);

    /**
     * Two machines of one id are there; the one that came later is not taken in.
     *
     * @param there who stays
     */
    default void twin(Machine refused, Machine there) {}

    /** A machine is there no more in the way in which it spoke to the leader itself. */
    default void silent(String id) {}

    /**
     * Machines that are there may be about to go with the one that goes next.
     *
     * @param within when that is known
     */
    default void machinesDoubtful(Set<String> ids, Duration within) {}

    void leaderChanged(Optional<Entry> leader);

    /** Rescheduling pauses, or goes on, as the store has it. */
    void pauseChanged();

    /** A rollout is another than it was, or there no more. */
    default void rolloutChanged(UnitName name) {}

    /** There is another rebalance, or something else to say of it. */
    default void rebalanceChanged() {}

    /** Whether this one decides, be there a leader's key or not. */
    boolean leads();

    /** Something cannot be read. */
    void faulty(String what);

    /** All that came in is in the state. */
    void think(long revision);

    /** The state can follow no longer, which is why. */
    void ended(String why);
  }

  private final Registry registry;
  private final EngineSettings settings;
  private final EventLoop loop;
  private final EventLog events;
  private final ClusterState cluster = new ClusterState();
  private final Views views = new Views(cluster);
  private final MissingMachines missing = new MissingMachines(cluster);
  private final Images images = new Images(cluster);
  private final EventDeriver deriver = new EventDeriver(cluster);
  private final SchedulerState schedulerState = new SchedulerState(cluster);
  private final WorkQueue queue = new WorkQueue(cluster, schedulerState);
  private final Offers offers = new Offers(cluster, schedulerState, queue);
  private final Decider decider;
  private final Rollouts rollouts = new Rollouts(cluster, views, schedulerState);

  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final List<Event.Body> news = new ArrayList<>();

  private final ShadowedReports shadowed = new ShadowedReports();
  private final IgnoredReports ignored = new IgnoredReports();
  private final RevisionWaiters waiters;
  private Optional<Absences.Pause> told = Optional.empty();
  private @Nullable Mind mind;
  private boolean loaded;

  /** Why nothing more comes into the state, or what comes is not to be trusted. */
  private Optional<String> over = Optional.empty();

  private Optional<Long> toldLeader = Optional.empty();
  private long revision;
  private volatile @Nullable Watch watch;
  private volatile boolean closed;

  /**
   * @param epoch unlike that of any other, for the positions of events
   */
  StateLoader(
      Registry registry,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      String epoch) {
    this.registry = registry;
    this.settings = settings;
    this.events = new EventLog(epoch, settings.eventsKept(), clock);
    this.loop = loops.start("picture", this::endTurn);
    this.waiters = new RevisionWaiters(loop);
    this.decider = new Decider(cluster, missing, views, queue, schedulerState, offers, clock);
  }

  /**
   * Loads the registry and follows it; returns once queries see what was loaded.
   *
   * @throws RegistryException where the registry cannot be read
   */
  void follow(Mind made) {
    Snapshot snapshot = registry.read("");
    onLoop(() -> {
      mind = made;
      snapshot.entries().forEach(entry -> touch(cluster.written(entry)));
      // A request for something new does not wait until all that is there has been looked at.
      queue.leaveForLater();
      revision = snapshot.revision();
      return null;
    });
    watch = registry.watch("", snapshot, new RegistryEvents());
    if (closed) {
      // By somebody who did not find the watch yet.
      endWatch();
    }
    Void _ = RevisionWaiters.await(seen(snapshot.revision()), "not loaded");
  }

  /** Has the loop do something, and returns when it is done. */
  void run(Runnable work) {
    onLoop(() -> {
      work.run();
      return null;
    });
  }

  // ---- for the mind, on the loop

  /**
   * From now on another mind makes something of the state. All that is there comes to it as if it
   * were new; what it has to look at gives way to what happens from now on.
   */
  void turnTo(Mind next) {
    mind = next;
    if (over.isPresent()) {
      // The mind before was told, but nobody may listen to it any more.
      next.ended(over.get());
      return;
    }
    cluster.unreadable().tellAgain();
    queue.beginAnew();
    next.leaderChanged(cluster.leader());
    cluster.machines().all().forEach(machine -> next.machineChanged(machine, false));
    endTurn();
  }

  EventLoop loop() {
    return loop;
  }

  ClusterState cluster() {
    return cluster;
  }

  MissingMachines missing() {
    return missing;
  }

  WorkQueue queue() {
    return queue;
  }

  Decider decider() {
    return decider;
  }

  Rollouts rollouts() {
    return rollouts;
  }

  SchedulerState schedulerState() {
    return schedulerState;
  }

  Offers offers() {
    return offers;
  }

  /** Up to which the registry is known here; for the loop. */
  long revision() {
    return revision;
  }

  /** The units of which something is different since the last turn. */
  Set<UnitName> touched() {
    return touched;
  }

  Rebalances rebalances() {
    return new Rebalances(cluster, views, schedulerState);
  }

  /** The view of this unit is to be looked at again. */
  void touched(UnitName unit) {
    touched.add(unit);
  }

  // ---- for readers

  /** The parts that a query may look at. */
  record Reading(
      ClusterState cluster,
      Views views,
      Images images,
      MissingMachines missing,
      SchedulerState schedulerState) {

    Optional<Reasons> why(UnitName unit) {
      return new Reasoning(cluster, views, schedulerState).about(unit);
    }

    List<MachineView> machines() {
      return images.machines().stream().map(schedulerState::view).toList();
    }

    Optional<DrainProgress> drain(String machine) {
      return new Drains(cluster, views, schedulerState).progress(machine);
    }

    Rollouts rollouts() {
      return new Rollouts(cluster, views, schedulerState);
    }

    Optional<RebalanceProgress> rebalance() {
      return new Rebalances(cluster, views, schedulerState).progress();
    }

    RebalancePlanner rebalancePlanner() {
      return RebalancePlanner.of(cluster, views, schedulerState);
    }

    Absences absences() {
      return missing.absences();
    }
  }

  /** Asks the state and the views; the answer must not hold on to either. */
  <T> T query(Function<Reading, T> question) {
    return onLoop(() -> question.apply(reading()));
  }

  private Reading reading() {
    return new Reading(cluster, views, images, missing, schedulerState);
  }

  /** Waits until a question can be answered, or for so long. */
  void awaitAnswer(Function<Reading, ? extends Optional<?>> question, Duration atMost) {
    boolean _ = becomes(() -> question.apply(reading()).isPresent(), atMost);
  }

  private <T> T onLoop(java.util.concurrent.Callable<T> work) {
    try {
      return loop.call(work);
    } catch (IllegalStateException e) {
      throw new StateClosedException(e);
    }
  }

  EventStream events(EventsFrom from) {
    return events.follow(from);
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long wanted, Duration atMost) {
    await(
        seen(wanted),
        atMost,
        "this fleetd's picture of the cluster is behind what the registry has, and stayed so for "
            + atMost.toSeconds()
            + " s: is the registry reachable?");
  }

  /** Done once queries see everything up to a revision. */
  private CompletableFuture<Void> seen(long wanted) {
    var seen = new CompletableFuture<Void>();
    run(() -> waiters.revision(wanted, seen));
    return seen;
  }

  /**
   * Waits until something is so that nobody tells of, and that is looked at again and again.
   *
   * @return false where it is not within the time
   * @throws StateClosedException where this is closed before
   */
  boolean becomes(BooleanSupplier so, Duration atMost) {
    var answer = new CompletableFuture<Boolean>();
    run(() -> waiters.hope(so, atMost, answer));
    return RevisionWaiters.await(answer, "not known");
  }

  /**
   * Waits for as long as the loop's time says.
   *
   * @param otherwise said where it takes longer
   */
  <T> T await(CompletableFuture<T> coming, Duration atMost, String otherwise) {
    return waiters.await(coming, atMost, otherwise);
  }

  @Override
  public void close() {
    closed = true;
    endWatch();
    loop.close();
    events.close();
    waiters.end();
  }

  private void endWatch() {
    Watch running = watch;
    if (running != null) {
      running.close();
    }
  }

  // ---- what happens

  private void changed(Delta delta) {
    deriver.before(delta);
    for (Delta.Change change : delta.changes()) {
      switch (change) {
        case Delta.Change.Written written -> touch(cluster.written(written.entry()));
        case Delta.Change.Deleted deleted -> touch(cluster.deleted(deleted.key()));
      }
    }
    news.addAll(deriver.after());
    revision = delta.revision();
  }

  private void touch(Touched what) {
    switch (what) {
      case Touched.Nothing _ -> {}
      case Touched.OfUnits of -> of.units().forEach(this::touchUnit);
      case Touched.Mended mended -> mended.units().forEach(this::mended);
      case Touched.PlacedBecause because -> deriver.placed(because.unit(), because.why());
      case Touched.Commanded commanded -> deriver.commanded(commanded.command());
      case Touched.Scheduled scheduled -> scheduleChanged(scheduled.unit(), scheduled.machine());
      case Touched.Global global -> globalChanged(global.unit());
      case Touched.Rollout rollout -> mind().rolloutChanged(rollout.name());
      case Touched.OfMachine machine -> describedAnew(machine.machine());
      case Touched.Came came -> present(Way.STORE, came.machine());
      case Touched.Went went -> absent(Way.STORE, went.machine(), went.left(), whyGone(went));
      case Touched.Reported reported -> stored(reported.machine(), reported.report().unit(), what);
      case Touched.Withdrawn withdrawn -> stored(withdrawn.machine(), withdrawn.unit(), what);
      case Touched.Configured configured -> {
        news.add(configured(configured));
        queue.configured();
      }
      case Touched.Unconfigured _ -> queue.configured();
      case Touched.Offered offered -> {
        if (offered.withdrawn()) {
          offers.overheardWithdrawal(offered.unit());
        }
      }
      case Touched.Bidden bidden -> {
        if (!cluster.machines().isPresent(Way.DIRECT, bidden.machine())) {
          offers.received(bidden.machine(), bidden.bid());
        }
      }
      case Touched.Leader _ -> leaderChanged();
      case Touched.Pause _ -> pauseChanged();
      case Touched.Rebalanced rebalanced -> {
        queue.rebalanced(rebalanced.units());
        mind().rebalanceChanged();
      }
    }
  }

  private static Event.Body configured(Touched.Configured set) {
    return Event.Body.of(
        Event.Command.CONFIG,
        Subject.NONE,
        new Cause(set.now().by(), set.setting() + "=" + set.now().value()));
  }

  private void leaderChanged() {
    if (!toldLeader.equals(cluster.leader().map(Entry::created))) {
      news.add(leader());
    }
    mind().leaderChanged(cluster.leader());
  }

  private Event.Body leader() {
    Optional<Entry> leader = cluster.leader();
    toldLeader = leader.map(Entry::created);
    Subject subject = leader.flatMap(StateLoader::machineOf).map(Subject::of).orElse(Subject.NONE);
    String none = mind().leads() ? "the only engine leads" : "no engine leads";
    String why = leader.map(known -> "token " + known.created()).orElse(none);
    return new Event.Body(Kind.LEADER, subject, Cause.of(why));
  }

  private static Optional<String> machineOf(Entry leader) {
    try {
      return Optional.of(LeaderRecord.of(leader).machine());
    } catch (RegistryException e) {
      log.debug("who leads cannot be read", e);
      return Optional.empty();
    }
  }

  private Mind mind() {
    if (mind == null) {
      throw new IllegalStateException("nothing is followed yet");
    }
    return mind;
  }

  private void touchUnit(UnitName unit) {
    touched.add(unit);
    queue.changed(unit);
    queue.stateChanged(unit);
  }

  private void mended(UnitName unit) {
    touchUnit(unit);
    cluster.schedule().of(unit).ifPresent(placed -> scheduleChanged(unit, placed.machine()));
    if (cluster.schedule().globals().contains(unit)) {
      globalChanged(unit);
    }
  }

  private void scheduleChanged(UnitName unit, String machine) {
    queue.scheduleChanged(unit, machine);
    mind().scheduled(unit, machine);
    touched.add(unit);
  }

  private void globalChanged(UnitName unit) {
    queue.globalChanged(unit);
    mind().globalChanged(unit);
    touched.add(unit);
  }

  private void describedAnew(String id) {
    images.machinesChanged();
    queue.machineChanged(id);
    cluster.machines().of(id).ifPresent(machine -> news.add(Event.Body.of(machine, false)));
    cluster.machines().of(id).ifPresent(machine -> mind().machineChanged(machine, false));
  }

  private static String whyGone(Touched.Went went) {
    return went.left() ? "it has left" : "it is silent";
  }

  private void present(Way way, Machine machine) {
    String id = machine.id();
    Optional<Machine> there = twin(way, machine);
    if (there.isPresent()) {
      if (way == Way.STORE) {
        shadowed.twin(machine);
      }
      mind().twin(machine, there.get());
      return;
    }
    if (way == Way.STORE) {
      var _ = shadowed.takeTwin(id);
    }
    boolean came = !cluster.isThere(id);
    if (way == Way.DIRECT && !cluster.machines().isPresent(way, id)) {
      withdrawUnheard(id, shadowed.begins(id, cluster.reports().by(id)));
    }
    boolean different = cluster.machines().present(way, machine);
    images.machinesChanged();
    if (different || !queue.judges(id)) {
      if (came) {
        queue.machineCame(id);
        offers.machineCame(id);
      } else {
        queue.machineChanged(id);
      }
      touched.addAll(cluster.schedule().unitsOn(id));
      cluster.machines().of(id).ifPresent(inForce -> news.add(Event.Body.of(inForce, came)));
    }
    mind().machineChanged(machine, came);
  }

  /** In the store the next one may come before the end of the last is heard of. */
  private Optional<Machine> twin(Way way, Machine machine) {
    Optional<Machine> elsewhere = cluster.machines().twin(way.other(), machine);
    return way == Way.STORE ? elsewhere : elsewhere.or(() -> cluster.machines().twin(way, machine));
  }

  private void absent(Way way, String id, boolean left, String why) {
    if (way == Way.STORE && shadowed.takeTwin(id).isPresent()) {
      return;
    }
    Optional<Machine> before = cluster.machines().of(id);
    cluster.machines().absent(way, id);
    images.machinesChanged();
    if (cluster.machines().of(id).isPresent()) {
      thereInTheOtherWay(id, before);
    } else {
      absent(id, before, left, why);
    }
  }

  private void goneDirectly(String id, boolean left, boolean emptied, String why) {
    if (!cluster.machines().isPresent(Way.DIRECT, id)) {
      return;
    }
    if (emptied) {
      // So that nobody waits until it has stopped its units.
      cluster
          .machines()
          .of(id)
          .map(machine -> machine.withIsolation(Isolation.KEEP))
          .ifPresent(machine -> cluster.machines().present(Way.DIRECT, machine));
    }
    List<Touched> stored = shadowed.of(id);
    absent(Way.DIRECT, id, left, why);
    mind().silent(id);
    shadowed
        .takeTwin(id)
        .ifPresent(twin -> {
          present(Way.STORE, twin);
          stored.forEach(this::heard);
        });
  }

  private void thereInTheOtherWay(String id, Optional<Machine> before) {
    if (!cluster.machines().of(id).equals(before)) {
      describedAnew(id);
    }
    List<Touched> stored = shadowed.of(id);
    shadowed.forget(id);
    if (cluster.machines().isPresent(Way.STORE, id)) {
      Object since = shadowed.ends(id, cluster.reports().by(id));
      stored.forEach(this::heard);
      withdrawUnheard(id, since);
    }
  }

  /** Once it has had the time to say all that there is: what it had told before is over then. */
  private void withdrawUnheard(String machine, Object since) {
    loop.postAfter(
        settings.agentTtl(),
        () -> shadowed.takeUnheard(machine, since).forEach(unit -> withdrawn(machine, unit)));
  }

  private void absent(String id, Optional<Machine> before, boolean left, String why) {
    shadowed.gone(id);
    ignored.gone(id);
    images.statesChanged();
    // One that falls silent may have been gone for a while.
    Duration rest = left ? settings.rest() : settings.rest().plus(settings.agentTtl());
    cluster.ended().went(id, rest, loop.nanoTime());
    for (UnitName unit : cluster.reports().withdrawAll(id)) {
      news.add(new Event.Body(Kind.STATE_GONE, Subject.of(unit, id), Cause.NONE));
      touchUnit(unit);
    }
    queue.machineGone(id);
    offers.machineGone(id);
    touched.addAll(cluster.schedule().unitsOn(id));
    mind().machineWent(id, before, left);
    if (before.isPresent()) {
      news.add(new Event.Body(Kind.MACHINE_GONE, Subject.of(id), Cause.of(why)));
    }
  }

  private void stored(String machine, UnitName unit, Touched what) {
    if (cluster.machines().isPresent(Way.DIRECT, machine)
        && !shadowed.counts(machine, unit, what)) {
      shadowed.putBy(machine, unit, what);
    } else {
      heard(what);
    }
  }

  private void heard(Touched what) {
    if (what instanceof Touched.Reported(String machine, AgentReport report)) {
      shadowed.heard(machine, report.unit());
      reported(machine, report);
    } else if (what instanceof Touched.Withdrawn(String machine, UnitName unit)) {
      shadowed.heard(machine, unit);
      shadowed.overruled(machine, unit);
      withdrawn(machine, unit);
    }
  }

  private void reported(String machine, AgentReport report) {
    UnitName unit = report.unit();
    switch (report) {
      case AgentReport.Stated stated -> {
        cluster.ended().stated(stated.state(), loop.nanoTime());
        Optional<UnitState> changed = cluster.reports().stated(stated.state());
        if (changed.isPresent()) {
          images.statesChanged();
          news.add(Event.Body.of(changed.get()));
          touched.add(unit);
          queue.stateChanged(unit);
          if (cluster.schedule().of(unit).isEmpty()) {
            queue.touch(unit);
          }
        }
      }
      case AgentReport.Gone gone -> {
        cluster.ended().withdrawn(machine, unit, loop.nanoTime());
        stateGone(unit, machine, cluster.reports().gone(machine, gone));
        touchUnit(unit);
      }
      case AgentReport.Refused refused -> {
        log.warn("machine {} refused {}: {}", machine, unit, refused.why());
        stateGone(unit, machine, cluster.reports().refused(refused, machine));
        touchUnit(unit);
      }
      case AgentReport.Freed _ -> withdrawn(machine, unit);
    }
  }

  private void withdrawn(String machine, UnitName unit) {
    cluster.ended().withdrawn(machine, unit, loop.nanoTime());
    stateGone(unit, machine, cluster.reports().withdrawn(machine, unit));
    touchUnit(unit);
  }

  private void stateGone(UnitName unit, String machine, boolean known) {
    if (known) {
      images.statesChanged();
      news.add(new Event.Body(Kind.STATE_GONE, Subject.of(unit, machine), Cause.NONE));
    }
  }

  private void pauseChanged() {
    Optional<Absences.Pause> now = MissingMachines.inForce(cluster.pause());
    if (!now.equals(told)) {
      news.add(
          now.isPresent()
              ? new Event.Body(Kind.RESCHEDULING_PAUSED, Subject.NONE, Cause.of(now.get().text()))
              : new Event.Body(Kind.RESCHEDULING_RESUMED, Subject.NONE, whyResumed()));
      told = now;
    }
    mind().pauseChanged();
  }

  private Cause whyResumed() {
    return cluster
        .pause()
        .map(ClusterState.StoredPause::record)
        .map(ended -> new Cause(ended.endedBy(), ended.whyEnded()))
        .orElse(Cause.of("the pause is over"));
  }

  private void endTurn() {
    if (mind == null || over.isPresent()) {
      return;
    }
    cluster.unreadable().takeUntold().forEach(mind::faulty);
    mind.think(revision);
    tell();
  }

  private void tell() {
    for (UnitName unit : touched) {
      views.refresh(unit).ifPresent(news::add);
    }
    touched.clear();
    if (!loaded) {
      // Entries that were there before this began to look are no news.
      loaded = true;
      news.clear();
      news.add(leader());
    }
    events.append(revision, news);
    news.clear();
    waiters.met(revision);
  }

  /**
   * Takes in a change. If that throws, the state is in an unknown state: nothing is made of it any
   * more, and another state must be made.
   */
  private void takeIn(Runnable happening) {
    loop.post(() -> {
      try {
        if (over.isEmpty()) {
          happening.run();
        }
      } catch (RuntimeException e) {
        log.error("the picture of the cluster is broken: {}", e, e);
        end("what happened cannot be taken into the picture of the cluster: " + e);
      }
    });
  }

  private void end(String why) {
    over = Optional.of(why);
    mind().ended(why);
  }

  private final class RegistryEvents implements Watcher {
    @Override
    public void changed(Delta delta) {
      takeIn(() -> StateLoader.this.changed(delta));
    }

    @Override
    public void failed(RegistryException why) {
      loop.post(() -> end("the watch of the registry ended: " + why.getMessage()));
    }
  }

  /** Hears of machines that do not speak through the registry. */
  EngineCoordination.Listener listener() {
    return new EngineCoordination.Listener() {
      @Override
      public void present(Machine machine) {
        takeIn(() -> StateLoader.this.present(Way.DIRECT, machine));
      }

      @Override
      public void reported(String machine, List<AgentReport> reports) {
        takeIn(() -> {
          if (cluster.machines().isPresent(Way.DIRECT, machine)) {
            ignored
                .sift(machine, reports, cluster)
                .forEach(report -> {
                  shadowed.heard(machine, report.unit());
                  shadowed.overruled(machine, report.unit());
                  StateLoader.this.reported(machine, report);
                });
          }
        });
      }

      @Override
      public void bid(String machine, Bid bid) {
        takeIn(() -> {
          if (cluster.machines().isPresent(Way.DIRECT, machine)) {
            offers.received(machine, bid);
          }
        });
      }

      @Override
      public void doubtful(Set<String> machines, Duration within) {
        Set<String> kept = OrderedCopy.of(machines);
        takeIn(() -> mind().machinesDoubtful(kept, within));
      }

      @Override
      public void absent(String machine, String why) {
        takeIn(() -> goneDirectly(machine, false, false, why));
      }

      @Override
      public void left(String machine, boolean emptied, String why) {
        takeIn(() -> goneDirectly(machine, true, emptied, why));
      }

      @Override
      public void takenOver(String machine, String how) {
        takeIn(() ->
            news.add(Event.Body.of(Event.Command.TAKEN_OVER, Subject.of(machine), Cause.of(how))));
      }

      @Override
      public void takenIn(Runnable then) {
        loop.post(then);
      }
    };
  }
}
