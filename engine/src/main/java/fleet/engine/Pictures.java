package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.registry.Registry;
import fleet.registry.SharedRegistry;
import java.time.Clock;
import java.time.Duration;
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
 * The picture that readers of this fleetd are served from: the engine's while it leads, an {@link
 * Observer}'s else. One follows on the other, and none is kept that nobody needs. Safe for use by
 * many threads.
 */
final class Pictures implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Pictures.class);

  private final Registry registry;
  private final EngineCoordination coordination;
  private final EngineSettings settings;
  private final Clock clock;
  private final EventLoop.Starter loops;
  private final Supplier<String> epochs;
  private final Consumer<String> onFatal;
  private final boolean shared;

  private @Nullable Engine engine;
  private @Nullable Observer observer;
  private @Nullable CompletableFuture<LivePicture> loading;
  private CompletableFuture<LivePicture> leading = new CompletableFuture<>();
  private boolean begins;
  private boolean closed;

  Pictures(
      Registry registry,
      EngineCoordination coordination,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      Supplier<String> epochs,
      Consumer<String> onFatal) {
    this.registry = registry;
    this.coordination = coordination;
    this.settings = settings;
    this.clock = clock;
    this.loops = loops;
    this.epochs = epochs;
    this.onFatal = onFatal;
    this.shared = registry instanceof SharedRegistry;
  }

  // ---- who leads

  void lead(Leadership.Term term) {
    retire("another term begins");
    var next =
        new Engine(
            registry,
            coordination,
            settings,
            term,
            clock,
            loops,
            epochs.get(),
            onFatal);
    synchronized (this) {
      begins = true;
    }
    try {
      next.start();
    } catch (RuntimeException e) {
      next.close();
      synchronized (this) {
        begins = false;
        leading.completeExceptionally(e);
        leading = new CompletableFuture<>();
      }
      throw e;
    }
    Observer before;
    synchronized (this) {
      begins = false;
      engine = next;
      leading.complete(next.picture());
      before = observer;
      observer = null;
      loading = null;
    }
    close(before);
  }

  void retire(String why) {
    Engine before;
    synchronized (this) {
      before = engine;
      engine = null;
      if (before != null) {
        leading = new CompletableFuture<>();
      }
    }
    if (before != null) {
      log.info("this engine leads no longer: {}", why);
      before.close();
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

  <T> T query(Function<LivePicture.Reading, T> question) {
    return on(sight -> sight.picture().query(question));
  }

  EventStream follow(Optional<EventId> after) {
    return on(sight ->
        sight.observer().isPresent()
            ? sight.observer().get().events(after)
            : sight.picture().events(after));
  }

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long revision) {
    if (isThere()) {
      on(sight -> {
        sight.picture().awaitRevision(revision, settings.patience());
        return true;
      });
    }
  }

  /** One that is loaded later sees it anyway. */
  private synchronized boolean isThere() {
    return engine != null || begins || observer != null;
  }

  /** A picture and, where it is one that is loaded for readers, who keeps it. */
  private record Sight(LivePicture picture, Optional<Observer> observer) {}

  private <T> T on(Function<Sight, T> work) {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    while (true) {
      Sight sight = sight(deadline);
      sight.observer().ifPresent(Observer::used);
      try {
        return work.apply(sight);
      } catch (PictureClosedException e) {
        if (System.nanoTime() > deadline || isClosed()) {
          throw new ClusterUnavailableException("fleetd is stopping", e);
        }
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private Sight sight(long deadline) {
    CompletableFuture<LivePicture> coming;
    Optional<Observer> from = Optional.empty();
    String awaited;
    synchronized (this) {
      if (closed) {
        throw new ClusterUnavailableException("fleetd is stopping");
      }
      if (engine != null) {
        return new Sight(engine.picture(), Optional.empty());
      }
      if (begins || !shared) {
        coming = leading;
        awaited = begins ? "this fleetd's engine to load the registry" : "an engine to lead";
      } else {
        coming = observing();
        from = Optional.ofNullable(observer);
        awaited = "the registry to be read";
      }
    }
    return new Sight(await(coming, deadline, awaited), from);
  }

  private CompletableFuture<LivePicture> observing() {
    if (loading == null) {
      observer = new Observer(registry, settings, clock, loops, epochs.get(), this::drop);
      Observer loads = observer;
      loading = loads.load();
      CompletableFuture<LivePicture> _ =
          loading.whenComplete((_, failed) -> {
            if (failed != null) {
              drop(loads);
            }
          });
    }
    return loading;
  }

  private void drop(Observer ended) {
    synchronized (this) {
      if (observer == ended) {
        observer = null;
        loading = null;
      }
    }
    ended.close();
  }

  private static LivePicture await(
      CompletableFuture<LivePicture> coming, long deadline, String awaited) {
    try {
      return coming.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ClusterUnavailableException("still waiting for " + awaited, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("interrupted", e);
    } catch (CancellationException e) {
      throw new ClusterUnavailableException("fleetd is stopping", e);
    } catch (ExecutionException e) {
      throw new ClusterUnavailableException("waited for " + awaited + ": " + e.getCause(), e);
    }
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
      loading = null;
      leading.cancel(false);
    }
    close(before);
    retire("fleetd stops");
  }
}
