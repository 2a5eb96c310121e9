package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.UncertainLeadException;
import fleet.coordination.Certainty;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
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
 * The state that readers of this fleetd are served from: the engine's while it leads, an {@link
 * Observer}'s else. One follows on the other, and none is kept that nobody needs. Safe for use by
 * many threads.
 */
final class StateProvider implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StateProvider.class);

  /** How soon a warm standby that could not read the registry tries again. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** How often a reader tries, where whoever leads changes again and again. */
  private static final int ATTEMPTS = 10;

  /**
   * An engine that is deposed has retired by then, and one whose store stumbled is certain again.
   */
  private static final Duration DOUBT = Duration.ofMillis(500);

  private final Registry registry;
  private final EngineCoordination coordination;
  private final Certainty certainty;
  private final EngineSettings settings;
  private final Clock clock;
  private final EventLoop.Starter loops;
  private final Supplier<String> ids;
  private final Consumer<String> onFatal;
  private final boolean shared;

  private @Nullable Engine engine;
  private @Nullable Engine beginning;
  private @Nullable Observer observer;
  private CompletableFuture<StateLoader> promise = new CompletableFuture<>();
  private boolean ready;
  private boolean closed;

  StateProvider(
      Registry registry,
      EngineCoordination coordination,
      Certainty certainty,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
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
            onFatal);
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
    Observer before;
    synchronized (this) {
      beginning = null;
      engine = next;
      before = observer;
      observer = null;
    }
    promised.complete(next.loader());
    close(before);
  }

  /** A state that readers have had so far is one that need not be loaded. */
  private Optional<StateLoader> warm(Leadership.Term term) {
    Observer current;
    synchronized (this) {
      ready = false;
      current = observer;
    }
    return current == null ? Optional.empty() : current.handOver(term.token(), settings.patience());
  }

  /**
   * Whether this fleetd is the warm standby: then it has a state at all times, to lead with.
   * Returns at once.
   */
  synchronized void keepReady(boolean wanted) {
    ready = wanted;
    if (observer != null) {
      observer.keepReady(wanted);
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

  void retire(String why) {
    Engine before;
    synchronized (this) {
      before = engine;
      engine = null;
    }
    if (before != null) {
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

  boolean answersWithin(Duration time) throws InterruptedException {
    Engine current = engine();
    return current == null || current.answersWithin(time);
  }

  private synchronized @Nullable Engine engine() {
    return engine;
  }

  // ---- readers

  /** The states that will do. */
  enum Of {
    /** That of this fleetd's engine, which leads. */
    LEADER,
    /** One that is loaded for readers as well. */
    ANYBODY
  }

  /**
   * Asks a state that is what the store has.
   *
   * @throws NotLeadingException where only the leader's will do, and another engine leads or may
   * @throws ClusterUnavailableException where the state may be old by now
   */
  <T> T query(Of whose, Function<StateLoader.Reading, T> question) {
    return on(whose, sight -> certain(whose, sight, question));
  }

  /** The same, once the state has the answer; empty where it has none for long. */
  <T> Optional<T> queryOnceKnown(Of whose, Function<StateLoader.Reading, Optional<T>> question) {
    return on(
        whose,
        sight -> {
          sight.loader().awaitAnswer(question, settings.patience());
          return certain(whose, sight, question);
        });
  }

  /**
   * Asks a state, be it old or not.
   *
   * @param told when it may be, since when, before the answer
   * @throws NotLeadingException where only the leader's will do, and another engine leads
   */
  <T> T queryEvenIfStale(
      Of whose, Function<StateLoader.Reading, T> question, Consumer<Instant> told) {
    return on(whose, sight -> evenIfStale(whose, sight, question, told));
  }

  /**
   * Looks after the answer whether it was certain: before, it might be old by the time it comes.
   */
  private <T> T certain(Of whose, Sight sight, Function<StateLoader.Reading, T> question) {
    while (true) {
      T answer = sight.loader().query(question);
      if (sight.isCertain()) {
        return answer;
      }
      // A caller that wants the leader's has other servers to ask.
      Duration patience = whose == Of.LEADER ? DOUBT : settings.patience();
      if (!sight.loader().becomes(sight::isCertain, patience)) {
        throw doubt(whose, sight);
      }
    }
  }

  private RuntimeException doubt(Of whose, Sight sight) {
    String what =
        sight.observer().isPresent()
            ? "this server has not reached etcd%s, so what it knows may be old"
            : "the server that leads has not reached etcd%s, so another may lead by now";
    String since = sight.confirmed(clock).map(at -> " since " + at).orElse(" for long");
    String text =
        what.formatted(since)
            + ": look whether etcd is there, and can be reached from it, or ask another server";
    return whose == Of.LEADER
        ? new UncertainLeadException(text)
        : new ClusterUnavailableException(text);
  }

  private <T> T evenIfStale(
      Of whose, Sight sight, Function<StateLoader.Reading, T> question, Consumer<Instant> told) {
    T answer = sight.loader().query(question);
    boolean certain = sight.isCertain();
    if (!certain && sight.loader().becomes(sight::isCertain, DOUBT)) {
      answer = sight.loader().query(question);
      certain = sight.isCertain();
    }
    if (!certain) {
      told.accept(sight.confirmed(clock).orElseThrow(() -> doubt(whose, sight)));
    }
    return answer;
  }

  /** Returns where there is a state to ask, be it old or not. */
  void expect(Of whose) {
    boolean _ = on(whose, _ -> true);
  }

  /** As {@link #query}. */
  EventStream follow(Of whose, EventsFrom from) {
    return on(
        whose,
        sight ->
            sight
                .observer()
                .map(observing -> observing.events(from))
                .orElseGet(() -> sight.loader().events(from)));
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long revision) {
    if (isThere()) {
      on(
          Of.ANYBODY,
          sight -> {
            sight.loader().awaitRevision(revision, settings.patience());
            return true;
          });
    }
  }

  /** A state that is loaded later sees it anyway. */
  private synchronized boolean isThere() {
    return engine != null || beginning != null || observer != null;
  }

  /**
   * A state.
   *
   * @param observer who keeps it, where it is one that is loaded for readers
   * @param certainty whether it is what the store has
   */
  private record Sight(StateLoader loader, Optional<Observer> observer, Certainty certainty) {

    boolean isCertain() {
      return certainty.isCertain();
    }

    Optional<Instant> confirmed(Clock clock) {
      return certainty
          .confirmedAgo()
          .map(ago -> clock.instant().minus(ago).truncatedTo(ChronoUnit.SECONDS));
    }
  }

  private Sight leading(StateLoader loader) {
    return new Sight(loader, Optional.empty(), certainty);
  }

  private <T> T on(Of whose, Function<Sight, T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        // Also the state that is waited for may be closed before it is there.
        Sight sight = sight(whose);
        sight.observer().ifPresent(Observer::used);
        return work.apply(sight);
      } catch (StateClosedException e) {
        // The leader has changed: the next state has it.
        if (attempt == ATTEMPTS) {
          throw new ClusterUnavailableException("fleetd is stopping", e);
        }
      }
    }
  }

  private Sight sight(Of whose) {
    Engine begins;
    Observer reads;
    synchronized (this) {
      if (closed) {
        throw new ClusterUnavailableException("fleetd is stopping");
      }
      if (engine != null) {
        return leading(engine.loader());
      }
      begins = beginning;
      if (begins == null && shared && whose == Of.LEADER) {
        throw new NotLeadingException("the engine of this machine does not lead");
      }
      reads = begins == null && shared ? observing() : null;
    }
    if (reads != null) {
      return new Sight(reads.await(settings.patience()), Optional.of(reads), reads);
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

  /** Where nobody else can lead, this fleetd's engine is about to. */
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

  private Observer observing() {
    if (observer == null || observer.hasEnded()) {
      observer = observer();
    }
    observer.load();
    return observer;
  }

  private Observer observer() {
    var made = new Observer(registry, settings, clock, loops, ids.get(), this::drop);
    made.keepReady(ready);
    return made;
  }

  private void drop(Observer ended) {
    synchronized (this) {
      if (ended.equals(observer)) {
        observer = null;
        if (ready && !closed) {
          observer = observer();
          observer.loadAfter(RETRY);
        }
      }
    }
    ended.close();
  }

  private static void close(@Nullable Observer before) {
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void close() {
    Observer before;
    synchronized (this) {
      closed = true;
      before = observer;
      observer = null;
      promise.cancel(false);
    }
    close(before);
    retire("fleetd stops");
  }
}
