package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.AnotherStoreException;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls of the store beside a loop, and retries them until the store has answered. Logs once
 * that something fails, and once that it works again. Belongs to its loop.
 */
final class StoreWork implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StoreWork.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final EventLoop loop;
  private final Consumer<String> onFatal;
  private final Set<String> failing = new HashSet<>();
  private boolean closed;

  /**
   * @param onFatal told on the loop when the store is another one now, so that retries are useless
   */
  StoreWork(EventLoop loop, Consumer<String> onFatal) {
    this.loop = loop;
    this.onFatal = onFatal;
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
      onFatal.accept("coordination: %s fails for good: %s".formatted(what, why.getMessage()));
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
