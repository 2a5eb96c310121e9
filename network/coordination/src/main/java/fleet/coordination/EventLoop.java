package fleet.coordination;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * One place where events are handled one after the other, so that the state it owns needs no lock.
 * Work is done in the order it was posted. Once all that is waiting has been done, the turn's end
 * runs once: what many events have touched is then handled together.
 *
 * <p>Time passes here as the loop says; nothing that runs on a loop looks at any other clock. Safe
 * for use by many threads.
 */
public interface EventLoop extends AutoCloseable {

  /** Makes loops, each with the work that ends a turn. */
  @FunctionalInterface
  interface Starter {
    EventLoop start(String name, Runnable turnEnd);
  }

  /** Work that is queued for later. */
  @FunctionalInterface
  interface Timer {

    /**
     * Has it not done, and wakes nobody for it; nothing if it was done. To be called on the loop.
     */
    void cancel();
  }

  /** Queues work; dropped once the loop is closed. */
  void post(Runnable work);

  /** Queues work for later. */
  Timer postAfter(Duration delay, Runnable work);

  /** Queues work again and again. */
  void postEvery(Duration period, Runnable work);

  /** Time in nanoseconds since some moment; it never goes back, whatever is done to the clock. */
  long nanoTime();

  /** Has work done that may wait, beside the loop; it posts what it found out. */
  void beside(String name, Runnable work);

  /**
   * Has the loop compute something and waits for it.
   *
   * @throws IllegalStateException if the loop is closed
   */
  <T> T call(Callable<T> work);

  /** Whether the loop gets round to new work within the time: a probe for watchdogs. */
  boolean answersWithin(Duration time) throws InterruptedException;

  /** Ends the loop; work that waits is dropped. */
  @Override
  void close();
}
