package fleet.engine;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.engine.state.ChangedSubject;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ReportPath;
import fleet.registry.Delta;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.CommandRecord;
import fleet.scheduler.Scheduler;
import java.time.Clock;
import java.time.Duration;
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
 * reports, tells readers what changes, and has a {@link StateListener} act on it.
 */
final class StateLoader implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StateLoader.class);

  private final Registry registry;
  private final EventLoop loop;
  private final EventLog events;
  private final LiveState state = LiveState.empty(new Scheduler());
  private final ClusterState cluster = state.cluster();
  private final WorkQueue queue = state.queue();
  private final EventDeriver deriver = new EventDeriver(cluster);
  private final EventBuilder builder;
  private final PresenceArbiter arbiter;
  private final RevisionWaiters waiters;
  private @Nullable StateListener listener;

  /** Why the state gets no more changes, or cannot be trusted. */
  private Optional<String> over = Optional.empty();

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
      EventLoop.Factory loops,
      String epoch) {
    this.registry = registry;
    this.events = new EventLog(epoch, settings.eventsKept(), clock);
    this.loop = loops.start("state", this::endTurn);
    this.waiters = new RevisionWaiters(loop);
    this.builder = new EventBuilder(state, events);
    this.arbiter = new PresenceArbiter(state, builder, loop, settings, this::acting);
  }

  /**
   * Loads the registry and follows it; returns once queries see what was loaded.
   *
   * @throws RegistryException if the registry cannot be read
   */
  void follow(StateListener first) {
    Snapshot snapshot = registry.read("");
    onLoop(() -> {
      listener = first;
      snapshot.entries().forEach(entry -> touch(cluster.written(entry)));
      // New requests do not wait until all existing units have been looked at.
      queue.demoteAll();
      revision = snapshot.revision();
      return null;
    });
    watch = registry.watch("", snapshot, new RegistryEvents());
    if (closed) {
      // Closed before the watch existed.
      endWatch();
    }
    Void _ = RevisionWaiters.await(seen(snapshot.revision()), "not loaded");
  }

  /** Runs something on the state thread, and returns when it is done. */
  void run(Runnable work) {
    onLoop(() -> {
      work.run();
      return null;
    });
  }

  // ---- for the listener, on the state thread

  /**
   * Another listener acts on the state from now on. It gets everything as if it were new; new
   * events come before that backlog.
   */
  void turnTo(StateListener next) {
    listener = next;
    if (over.isPresent()) {
      // The former listener was told, but no longer counts.
      next.ended(over.get());
      return;
    }
    cluster.unreadable().tellAgain();
    queue.requeueAll();
    next.leaderChanged(cluster.leader());
    cluster.machines().all().forEach(machine -> next.machineChanged(machine, false));
    endTurn();
  }

  EventLoop loop() {
    return loop;
  }

  LiveState state() {
    return state;
  }

  /** The revision of the registry that is known here; for the state thread. */
  long revision() {
    return revision;
  }

  /** The units that have changed since the last turn. */
  Set<UnitName> touched() {
    return builder.touched();
  }

  /** The view of this unit is to be looked at again. */
  void touched(UnitName unit) {
    builder.touch(unit);
  }

  // ---- for readers

  /** Asks the state and the views; the answer must not hold on to either. */
  <T> T query(Function<LiveState, T> question) {
    return onLoop(() -> question.apply(state));
  }

  /** Waits until a question can be answered, at most for a given time. */
  void awaitAnswer(Function<LiveState, ? extends Optional<?>> question, Duration atMost) {
    boolean _ = becomes(() -> question.apply(state).isPresent(), atMost);
  }

  private <T> T onLoop(java.util.concurrent.Callable<T> work) {
    try {
      return loop.call(work);
    } catch (IllegalStateException e) {
      throw new StateClosedException(e);
    }
  }

  EventStream events(EventsFrom from, Runnable onClose) {
    return events.follow(from, onClose);
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long wanted, Duration atMost) {
    await(
        seen(wanted),
        atMost,
        "this fleetd's view of the cluster has been behind the registry for "
            + atMost.toSeconds()
            + " s: is the registry reachable?");
  }

  /** Completed once queries see everything up to a revision. */
  private CompletableFuture<Void> seen(long wanted) {
    var seen = new CompletableFuture<Void>();
    run(() -> waiters.revision(wanted, seen));
    return seen;
  }

  /**
   * Polls a condition for which no event exists.
   *
   * @return false if it does not become true in time
   * @throws StateClosedException if this is closed before
   */
  boolean becomes(BooleanSupplier so, Duration atMost) {
    var answer = new CompletableFuture<Boolean>();
    run(() -> waiters.hope(so, atMost, answer));
    return RevisionWaiters.await(answer, "not known");
  }

  /**
   * Waits for as long as the loop's time says.
   *
   * @param otherwise the message if it takes longer
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
    deriver.after().forEach(builder::add);
    revision = delta.revision();
  }

  private void touch(ChangedSubject what) {
    switch (what) {
      case ChangedSubject.Nothing _ -> {}
      case ChangedSubject.OfUnits of -> of.units().forEach(this::touchUnit);
      case ChangedSubject.Mended mended -> mended.units().forEach(this::mended);
      case ChangedSubject.PlacedBecause(UnitName unit, String why) -> deriver.placed(unit, why);
      case ChangedSubject.Commanded(CommandRecord command) -> deriver.commanded(command);
      case ChangedSubject.Scheduled scheduled ->
          scheduleChanged(scheduled.unit(), scheduled.machine());
      case ChangedSubject.Global global -> globalChanged(global.unit());
      case ChangedSubject.OfMachine machine -> arbiter.settingsChanged(machine.machine());
      case ChangedSubject.Came came -> arbiter.present(ReportPath.STORE, came.machine());
      case ChangedSubject.Went went ->
          arbiter.absent(ReportPath.STORE, went.machine(), went.left(), whyGone(went));
      case ChangedSubject.Reported reported ->
          arbiter.stored(reported.machine(), reported.report().unit(), what);
      case ChangedSubject.Withdrawn withdrawn ->
          arbiter.stored(withdrawn.machine(), withdrawn.unit(), what);
      case ChangedSubject.Configured configured -> {
        builder.configured(configured);
        queue.configured();
      }
      case ChangedSubject.Unconfigured _ -> queue.configured();
      case ChangedSubject.Offered offered -> {
        if (offered.withdrawn()) {
          state.offers().overheardWithdrawal(offered.unit());
        }
      }
      case ChangedSubject.Bidden bidden -> {
        if (!arbiter.isDirect(bidden.machine())) {
          state.offers().received(bidden.machine(), bidden.bid());
        }
      }
      case ChangedSubject.Leader _ -> {
        builder.leaderChanged(acting().leads());
        acting().leaderChanged(cluster.leader());
      }
      case ChangedSubject.Pause _ -> {
        builder.pauseChanged();
        acting().pauseChanged();
      }
      case ChangedSubject.OfOperation operation -> {
        operation.units().forEach(queue::touch);
        acting().operationChanged(operation.id());
      }
    }
  }

  private StateListener acting() {
    if (listener == null) {
      throw new IllegalStateException("nothing is followed yet");
    }
    return listener;
  }

  private void touchUnit(UnitName unit) {
    builder.touch(unit);
    queue.unitChanged(unit);
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
    acting().scheduled(unit, machine);
    builder.touch(unit);
  }

  private void globalChanged(UnitName unit) {
    queue.globalChanged(unit);
    acting().globalChanged(unit);
    builder.touch(unit);
  }

  private static String whyGone(ChangedSubject.Went went) {
    return went.left() ? "it has left" : "it is silent";
  }

  private void endTurn() {
    StateListener acting = listener;
    if (acting == null || over.isPresent()) {
      return;
    }
    cluster.unreadable().takeUntold().forEach(acting::unreadable);
    acting.onTurnEnd(revision);
    builder.publish(revision, acting.leads());
    waiters.met(revision);
  }

  /**
   * Applies a change. If that throws, the state may have a part of it: it is not used any more, and
   * another must be loaded.
   */
  private void takeIn(Runnable happening) {
    loop.post(() -> {
      try {
        if (over.isEmpty()) {
          happening.run();
        }
      } catch (RuntimeException e) {
        log.error("the view of the cluster is broken: {}", e, e);
        end("a change cannot be applied to the view of the cluster: " + e);
      }
    });
  }

  private void end(String why) {
    over = Optional.of(why);
    acting().ended(why);
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

  /** Receives the reports of machines that do not report through the registry. */
  EngineCoordination.Listener listener() {
    return new EngineCoordination.Listener() {
      @Override
      public void present(Machine machine) {
        takeIn(() -> arbiter.present(ReportPath.DIRECT, machine));
      }

      @Override
      public void reported(String machine, List<AgentReport> reports) {
        takeIn(() -> arbiter.reportedDirectly(machine, reports));
      }

      @Override
      public void bid(String machine, Bid bid) {
        takeIn(() -> {
          if (arbiter.isDirect(machine)) {
            state.offers().received(machine, bid);
          }
        });
      }

      @Override
      public void doubtful(Set<String> machines, Duration within) {
        Set<String> kept = OrderedCopy.of(machines);
        takeIn(() -> acting().machinesDoubtful(kept, within));
      }

      @Override
      public void absent(String machine, String why) {
        takeIn(() -> arbiter.goneDirectly(machine, false, false, why));
      }

      @Override
      public void left(String machine, boolean emptied, String why) {
        takeIn(() -> arbiter.goneDirectly(machine, true, emptied, why));
      }

      @Override
      public void takenOver(String machine, String how) {
        takeIn(() ->
            builder.add(
                Event.Body.of(Event.Command.TAKEN_OVER, Subject.of(machine), Cause.of(how))));
      }

      @Override
      public void takenIn(Runnable then) {
        loop.post(then);
      }
    };
  }
}
