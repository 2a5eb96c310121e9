package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.coordination.Certainty;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.metric.Meter;
import fleet.core.unit.Incarnation;
import fleet.registry.Registry;
import fleet.registry.SharedRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns this fleetd's state of the cluster: the engine's while it leads, otherwise an {@link
 * ReadReplica}'s for readers. One replaces the other, and a state that nobody needs is dropped.
 * Safe for use by many threads.
 */
final class StateOwner implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StateOwner.class);

  /** How soon a warm standby that could not read the registry tries again. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** How often a reader tries while the leader keeps changing. */
  private static final int ATTEMPTS = 10;

  /** An engine that is busy for longer tells of itself at the next scrape. */
  private static final Duration TIME_TO_TELL = Duration.ofSeconds(2);

  private final Registry registry;
  private final EngineCoordination coordination;
  private final Certainty certainty;
  private final EngineSettings settings;
  private final Clock clock;
  private final EventLoop.Factory loops;
  private final Supplier<String> ids;
  private final Consumer<String> onFatal;
  private final boolean shared;
  private final EngineMetrics metrics;

  private @Nullable Engine engine;
  private @Nullable Engine beginning;
  private @Nullable ReadReplica replica;
  private CompletableFuture<StateLoader> promise = new CompletableFuture<>();
  private boolean ready;
  private boolean closed;

  StateOwner(
      Registry registry,
      EngineCoordination coordination,
      Certainty certainty,
      EngineSettings settings,
      Clock clock,
      EventLoop.Factory loops,
      Supplier<String> ids,
      Consumer<String> onFatal) {
    this.registry = registry;
    this.coordination = coordination;
    this.certainty = certainty;
    this.settings = settings;
    this.clock = clock;
    this.loops = loops;
    this.ids = ids;
    this.onFatal = onFatal;
    this.shared = registry instanceof SharedRegistry;
    this.metrics = new EngineMetrics(settings.meter());
  }

  // ---- who leads

  void lead(Leadership.Term term) {
    retire("another term begins");
    Optional<StateLoader> warm = warm(term);
    StateLoader loader =
        warm.orElseGet(() -> new StateLoader(registry, settings, clock, loops, ids.get()));
    var next =
        new Engine(
            registry,
            coordination,
            settings,
            term,
            clock,
            () -> new Incarnation(ids.get()),
            loader,
            onFatal,
            metrics);
    CompletableFuture<StateLoader> promised = begin(next);
    try {
      if (warm.isPresent()) {
        next.takeOver();
      } else {
        next.start();
      }
    } catch (RuntimeException e) {
      var _ = begin(null);
      promised.completeExceptionally(e);
      next.close();
      throw e;
    }
    ReadReplica before;
    synchronized (this) {
      beginning = null;
      engine = next;
      before = replica;
      replica = null;
    }
    metrics.leads(clock.instant());
    promised.complete(next.loader());
    close(before);
  }

  /** A state that readers already have need not be loaded. */
  private Optional<StateLoader> warm(Leadership.Term term) {
    ReadReplica current;
    synchronized (this) {
      ready = false;
      current = replica;
    }
    return current == null ? Optional.empty() : current.handOver(term.token(), settings.patience());
  }

  /**
   * Whether this fleetd is the warm standby: then it has a state at all times, to lead with.
   * Returns at once.
   */
  synchronized void keepReady(boolean wanted) {
    ready = wanted;
    if (replica != null) {
      replica.keepReady(wanted);
    }
    if (wanted && !closed && engine == null && beginning == null) {
      var _ = observing();
    }
  }

  private synchronized CompletableFuture<StateLoader> begin(@Nullable Engine next) {
    beginning = next;
    if (next != null && promise.isDone()) {
      promise = new CompletableFuture<>();
    }
    return promise;
  }

  /** When this fleetd's engine began to lead; empty if it does not. */
  Optional<Instant> leadsSince() {
    return metrics.leadsSince();
  }

  void retire(String why) {
    Engine before;
    synchronized (this) {
      before = engine;
      engine = null;
    }
    if (before != null) {
      metrics.leadsNoLonger();
      log.info("this engine leads no longer: {}", why);
      before.close();
    }
  }

  void awaitDeparture(String machine, Duration atMost) {
    Engine current = engine();
    if (current != null) {
      try {
        current.awaitDeparture(machine, atMost);
      } catch (StateClosedException e) {
        log.debug("nothing to wait for: this engine leads no longer", e);
      }
    }
  }

  /** Tells of the engine, and of its state if it answers in time. */
  void tell(Meter meter) throws InterruptedException {
    metrics.tell(meter);
    if (answersWithin(TIME_TO_TELL)) {
      Optional<Boolean> _ =
          led(state -> {
            new StateMetrics(state, meter).tell();
            return true;
          });
    }
  }

  boolean answersWithin(Duration time) throws InterruptedException {
    Engine current = engine();
    return current == null || current.answersWithin(time);
  }

  /** The answer of the engine's state; empty if this fleetd does not lead, or not yet. */
  <T> Optional<T> led(Function<LiveState, T> question) {
    Engine current = engine();
    try {
      return Optional.ofNullable(current).map(engine -> engine.loader().query(question));
    } catch (StateClosedException e) {
      log.debug("this engine leads no longer", e);
      return Optional.empty();
    }
  }

  private synchronized @Nullable Engine engine() {
    return engine;
  }

  // ---- the state that readers are given

  /** A state that is loaded later has it anyway. */
  synchronized boolean isThere() {
    return engine != null || beginning != null || replica != null;
  }

  /**
   * A state that can be read.
   *
   * @param replica that keeps it, if it was loaded for readers
   * @param certainty whether it is current
   */
  record ReadableState(StateLoader loader, Optional<ReadReplica> replica, Certainty certainty) {

    boolean isCertain() {
      return certainty.isCertain();
    }

    /** The time at which it was current; empty if that is unknown. */
    Optional<Instant> confirmed(Clock clock) {
      return certainty
          .confirmedAgo()
          .map(ago -> clock.instant().minus(ago).truncatedTo(ChronoUnit.SECONDS));
    }
  }

  private ReadableState leading(StateLoader loader) {
    return new ReadableState(loader, Optional.empty(), certainty);
  }

  /**
   * Works with a state, certain or not; with the next one if it is closed meanwhile.
   *
   * @throws NotLeadingException if only the leader's will do, and another engine leads or may
   */
  <T> T on(ReadConsistency consistency, Function<ReadableState, T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        // The awaited state may be closed as well before it is loaded.
        ReadableState state = state(consistency);
        state.replica().ifPresent(ReadReplica::used);
        return work.apply(state);
      } catch (StateClosedException e) {
        // The leader has changed: the next state has it.
        if (attempt == ATTEMPTS) {
          throw new ClusterUnavailableException("fleetd is stopping", e);
        }
      }
    }
  }

  private ReadableState state(ReadConsistency consistency) {
    Engine begins;
    ReadReplica reads;
    synchronized (this) {
      if (closed) {
        throw new ClusterUnavailableException("fleetd is stopping");
      }
      if (engine != null) {
        return leading(engine.loader());
      }
      begins = beginning;
      if (begins == null && shared && consistency == ReadConsistency.LEADER) {
        throw new NotLeadingException("its engine does not lead");
      }
      reads = begins == null && shared ? observing() : null;
    }
    if (reads != null) {
      return new ReadableState(reads.await(settings.patience()), Optional.of(reads), reads);
    }
    return leading(begins == null ? awaitLeader() : awaitStart(begins));
  }

  private StateLoader awaitStart(Engine begins) {
    return begins
        .loader()
        .await(
            promised().copy(),
            settings.patience(),
            "this fleetd's engine is still loading the registry, which takes long");
  }

  /** If no other engine can lead, this fleetd's engine is about to. */
  private StateLoader awaitLeader() {
    try {
      return promised().copy().get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("interrupted", e);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      throw new ClusterUnavailableException("no engine leads yet: waited for one", e);
    }
  }

  private synchronized CompletableFuture<StateLoader> promised() {
    return promise;
  }

  private ReadReplica observing() {
    if (replica == null || replica.hasEnded()) {
      replica = replica();
    }
    replica.load();
    return replica;
  }

  private ReadReplica replica() {
    var made = new ReadReplica(registry, settings, clock, loops, ids.get(), this::drop);
    made.keepReady(ready);
    return made;
  }

  private void drop(ReadReplica ended) {
    synchronized (this) {
      if (ended.equals(replica)) {
        replica = null;
        if (ready && !closed) {
          replica = replica();
          replica.loadAfter(RETRY);
        }
      }
    }
    ended.close();
  }

  private static void close(@Nullable ReadReplica before) {
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void close() {
    ReadReplica before;
    synchronized (this) {
      closed = true;
      before = replica;
      replica = null;
      promise.cancel(false);
    }
    close(before);
    retire("fleetd stops");
  }
}
