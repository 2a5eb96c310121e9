package fleet.coordination;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * One place where events are handled one after the other, so that the state it owns needs no lock.
 * Work is done in the order it was posted. Once the queue is empty, the turn's end runs once, to
 * handle the effects of many events together.
 *
 * <p>The loop has the clock; nothing that runs on a loop reads another one. Safe for use by many
 * threads.
 */
public interface EventLoop extends AutoCloseable {

  /** Makes loops, each with the work that ends a turn. */
  @FunctionalInterface
  interface Factory {
    EventLoop start(String name, Runnable turnEnd);
  }

  /** Work that is queued for later. */
  @FunctionalInterface
  interface Timer {

    /** Cancels it, without a wake-up; does nothing if it was done. To be called on the loop. */
    void cancel();
  }

  /** Queues work; dropped once the loop is closed. */
  void post(Runnable work);

  /** Queues work for later. */
  Timer postAfter(Duration delay, Runnable work);

  /** Queues periodic work. */
  void postEvery(Duration period, Runnable work);

  /** Monotonic time in nanoseconds. */
  long nanoTime();

  /** Runs blocking work beside the loop, which posts its result. */
  void beside(String name, Runnable work);

  /**
   * Computes something on the loop, and waits for it.
   *
   * @throws IllegalStateException if the loop is closed
   */
  <T> T call(Callable<T> work);

  /** Whether the loop handles new work within the time: a probe for watchdogs. */
  boolean answersWithin(Duration time) throws InterruptedException;

  /** Ends the loop; work that waits is dropped. */
  @Override
  void close();
}
