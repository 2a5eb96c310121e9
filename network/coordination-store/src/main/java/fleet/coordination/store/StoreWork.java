package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.AnotherStoreException;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access of a session's parts to the store: runs calls beside their loop, and retries them
 * until the store has answered. Logs once that something fails, and once that it works again.
 * Belongs to its loop.
 */
final class StoreWork implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StoreWork.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final EventLoop loop;
  private final SharedRegistry registry;
  private final Consumer<String> onFatal;
  private final Set<String> failing = new HashSet<>();
  private boolean failed;
  private boolean closed;

  /**
   * @param onFatal told once on the loop when only a new process can go on: the store is another
   *     one now, or can be followed no more
   */
  StoreWork(EventLoop loop, SharedRegistry registry, Consumer<String> onFatal) {
    this.loop = loop;
    this.registry = registry;
    this.onFatal = onFatal;
  }

  EventLoop loop() {
    return loop;
  }

  /** For calls that may wait, beside the loop. */
  SharedRegistry registry() {
    return registry;
  }

  /** The first fault ends the session; the process must not continue with half of it. */
  void fail(String why) {
    if (!failed) {
      failed = true;
      log.error("{}", why);
      onFatal.accept(why);
    }
  }

  /** Begins a commit that may be done more than once. */
  void commit(String what, Transaction transaction, Consumer<Outcome> done) {
    begin(what, () -> registry.commit(transaction), done);
  }

  /**
   * Begins work that may be done more than once.
   *
   * @param what is being done, for messages: "reading ..."
   * @param work waits for the store, beside the loop
   * @param done gets its result, on the loop
   */
  <T> void begin(String what, Supplier<T> work, Consumer<T> done) {
    attempt(what, work, done, FIRST_PAUSE);
  }

  private <T> void attempt(String what, Supplier<T> work, Consumer<T> done, Duration pause) {
    if (closed) {
      return;
    }
    loop.beside(
        "coordination " + what,
        () -> {
          try {
            T result = work.get();
            loop.post(() -> succeeded(what, result, done));
          } catch (AnotherStoreException e) {
            loop.post(() -> givenUp(what, e));
          } catch (RegistryException e) {
            loop.post(() -> failed(what, work, done, pause, e));
          } catch (RuntimeException e) {
            log.error("coordination: {} met a fault in fleet itself, trying on", what, e);
            loop.post(() -> failed(what, work, done, LONGEST_PAUSE, e));
          }
        });
  }

  private <T> void succeeded(String what, T result, Consumer<T> done) {
    if (closed) {
      return;
    }
    if (failing.remove(what)) {
      log.info("coordination: {} works again", what);
    }
    done.accept(result);
  }

  private void givenUp(String what, AnotherStoreException why) {
    if (!closed) {
      fail("coordination: %s fails for good: %s".formatted(what, why.getMessage()));
    }
  }

  private <T> void failed(
      String what, Supplier<T> work, Consumer<T> done, Duration pause, RuntimeException why) {
    if (closed) {
      return;
    }
    if (failing.add(what)) {
      log.warn("coordination: {} fails, trying on: {}", what, why.getMessage());
    }
    Duration next = pause.multipliedBy(2);
    loop.postAfter(
        pause,
        () -> attempt(what, work, done, next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE));
  }

  /** Work under way continues, but its result is dropped. */
  @Override
  public void close() {
    closed = true;
  }
}
