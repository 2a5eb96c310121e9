package fleet.core.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How tests wait for a condition. The bound ends a test that hangs, and says what it saw last. The
 * bound is far longer than a slow machine needs, so that no test fails because others use the CPU.
 * For any thread.
 */
public final class Await {

  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private Await() {}

  /** Polls a condition for which no event exists. */
  public static void until(BooleanSupplier condition) throws InterruptedException {
    until(condition, () -> "the condition is false");
  }

  /**
   * Polls a condition for which no event exists.
   *
   * @param state what a failure shows
   */
  public static void until(BooleanSupplier condition, Supplier<?> state)
      throws InterruptedException {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + BOUND + ": " + state.get());
      }
      Thread.sleep(INTERVAL);
    }
  }

  /** Polls a value until it meets a condition, and returns it. */
  public static <T> T value(Supplier<T> source, Predicate<? super T> condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + BOUND.toNanos();
    T value = source.get();
    while (!condition.test(value)) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + BOUND + ": " + value);
      }
      Thread.sleep(INTERVAL);
      value = source.get();
    }
    return value;
  }

  /**
   * Waits on a monitor, which the caller holds. A thread that changes what the condition reads
   * holds the monitor as well, and notifies it.
   *
   * @param state what a failure shows
   */
  public static void notified(Object monitor, BooleanSupplier condition, Supplier<?> state)
      throws InterruptedException {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("not within " + BOUND + ": " + state.get());
      }
      monitor.wait(left);
    }
  }
}
