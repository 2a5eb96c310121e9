package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.coordination.Certainty;
import fleet.coordination.EventLoop;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A state for the readers of a fleetd that does not lead: it follows the registry, and says why
 * units wait, but writes nothing. It is dropped once nobody reads it, unless this fleetd is the
 * warm standby. An engine that begins to lead may take it over. Safe for use by many threads.
 *
 * <p>Its state is certain as long as the store answered a moment ago: a silent watch may be one
 * that hears nothing.
 */
final class ReadReplica implements Certainty, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReadReplica.class);

  /** How long an answer of the store proves that the state is current. */
  private static final Duration VOUCHED = Duration.ofSeconds(5);

  private final Registry registry;
  private final StateLoader loader;
  private final EventLoop loop;
  private final Duration idle;
  private final Consumer<ReadReplica> onEnd;
  private final CompletableFuture<StateLoader> loaded = new CompletableFuture<>();
  private final AtomicBoolean loading = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable ClusterUnavailableException unreadable;
  private final AtomicInteger streams = new AtomicInteger();
  private volatile boolean keptReady;
  private volatile boolean explains;
  private volatile long lastUse;
  private final AtomicBoolean confirming = new AtomicBoolean();

  /** When the request was sent that the store answered last. */
  private volatile long confirmedAt;

  /**
   * @param onEnd called when this has not been read for long, or cannot go on: close it
   */
  ReadReplica(
      Registry registry,
      EngineSettings settings,
      Clock clock,
      EventLoop.Factory loops,
      String epoch,
      Consumer<ReadReplica> onEnd) {
    this.registry = registry;
    this.idle = settings.observerIdle();
    this.onEnd = onEnd;
    this.loader = new StateLoader(registry, settings, clock, loops, epoch);
    this.loop = loader.loop();
    this.lastUse = loop.nanoTime();
  }

  /** Begins to load, unless that has begun. */
  void load() {
    if (!loading.compareAndSet(false, true)) {
      return;
    }
    loop.beside(
        "observer-load",
        () -> {
          try {
            confirmedAt = loop.nanoTime();
            loader.follow(new Following());
            loop.postEvery(idle.dividedBy(4), this::endWhereIdle);
            loaded.complete(loader);
          } catch (RuntimeException e) {
            // Told by close: a caller that asks again then must find this one gone.
            unreadable =
                new ClusterUnavailableException("cannot read the cluster: " + e.getMessage(), e);
            onEnd.accept(this);
          }
        });
  }

  /** Begins to load later, unless somebody wants it sooner. */
  void loadAfter(Duration delay) {
    loop.postAfter(delay, this::load);
  }

  /** Whether it is closed, or an engine's. */
  boolean hasEnded() {
    return ended.get();
  }

  /** Whether it stays although nobody reads it. */
  void keepReady(boolean ready) {
    lastUse = loop.nanoTime();
    keptReady = ready;
  }

  /**
   * The state for an engine that begins to lead, which owns it from now on.
   *
   * @param revision that it is to have come to
   * @return empty if it is not there by then, or has ended
   */
  Optional<StateLoader> handOver(long revision, Duration atMost) {
    if (!loaded.isDone() || loaded.isCompletedExceptionally()) {
      return Optional.empty();
    }
    try {
      loader.awaitRevision(revision, atMost);
    } catch (ClusterUnavailableException | StateClosedException e) {
      log.info("not led with the state that readers have: {}", e.getMessage());
      return Optional.empty();
    }
    return ended.compareAndSet(false, true) ? Optional.of(loader) : Optional.empty();
  }

  /**
   * The state, once it is loaded.
   *
   * @throws ClusterUnavailableException if it cannot be, or takes longer
   */
  StateLoader await(Duration atMost) {
    return loader.await(
        loaded.copy(),
        atMost,
        "the registry is still being read, which takes longer than "
            + atMost.toSeconds()
            + " s: is it reachable?");
  }

  /** Somebody is about to read the state, which is loaded. */
  void used() {
    lastUse = loop.nanoTime();
    if (age().compareTo(VOUCHED.dividedBy(2)) > 0) {
      confirm();
    }
    if (!explains) {
      loader.run(() -> {
        // Does nothing if an engine owns it by now.
        if (!ended.get()) {
          loader.turnTo(new Explaining());
        }
      });
      explains = true;
    }
  }

  @Override
  public boolean isCertain() {
    return age().compareTo(VOUCHED) < 0;
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return Optional.of(age());
  }

  private Duration age() {
    return Duration.ofNanos(loop.nanoTime() - confirmedAt);
  }

  /**
   * Checks that the store answers, unless a check is under way. Readers do not wait for it. After
   * an outage the missed changes come a moment later: the state has to know at least who leads.
   */
  private void confirm() {
    if (!confirming.compareAndSet(false, true)) {
      return;
    }
    long asked = loop.nanoTime();
    loop.beside(
        "observer-confirmation",
        () -> {
          try {
            registry
                .get(Keys.LEADER)
                .ifPresent(leader -> loader.awaitRevision(leader.modified(), VOUCHED));
            confirmedAt = asked;
          } catch (RuntimeException e) {
            log.debug("whether the state is old is not known", e);
          } finally {
            confirming.set(false);
          }
        });
  }

  /** A stream that keeps this replica alive until it is closed. */
  EventStream events(EventsFrom from) {
    streams.incrementAndGet();
    return loader.events(
        from,
        () -> {
          lastUse = loop.nanoTime();
          streams.decrementAndGet();
        });
  }

  private void endWhereIdle() {
    if (ended.get() || streams.get() > 0 || loop.nanoTime() - lastUse < idle.toNanos()) {
      return;
    }
    if (!keptReady) {
      log.debug("nobody has read the view of the cluster for {}", idle);
      onEnd.accept(this);
    } else if (explains) {
      explains = false;
      loader.turnTo(new Following());
    }
  }

  /** Ends the state, unless it is an engine's by now. */
  @Override
  public void close() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    loader.close();
    ClusterUnavailableException why = unreadable;
    if (why != null) {
      loaded.completeExceptionally(why);
    } else {
      loaded.cancel(false);
    }
  }

  /** Nobody reads, so the reasons of waiting units need not be known. */
  private class Following implements StateListener {
    @Override
    public void pauseChanged() {
      loader.state().missing().pause(MissingMachines.inForce(loader.state().cluster().pause()));
    }

    @Override
    public void unreadable(String what) {
      log.debug("{}", what);
    }

    @Override
    public void ended(String why) {
      log.warn("{}; reading everything again when it is asked for", why);
      onEnd.accept(ReadReplica.this);
    }

    @Override
    public void onTurnEnd(long revision) {
      loader.state().queue().forget();
    }
  }

  /** Says why units wait. */
  private final class Explaining extends Following {
    private final WaitExplainer explainer = new WaitExplainer(loader.state());

    @Override
    public void leaderChanged(Optional<Entry> leader) {
      loader.state().queue().touchAll();
    }

    @Override
    public void pauseChanged() {
      super.pauseChanged();
      loader.state().cluster().missing().keySet().forEach(loader.state().queue()::touchUnitsOf);
    }

    @Override
    public void onTurnEnd(long revision) {
      explainer.explain(loader.state().cluster().leader().isPresent(), loader::touched);
    }
  }
}
