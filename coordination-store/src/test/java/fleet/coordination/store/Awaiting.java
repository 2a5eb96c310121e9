package fleet.coordination.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what no event tells a test of. */
final class Awaiting {

  private Awaiting() {}

  static void until(Duration within, BooleanSupplier condition) {
    long deadline = System.nanoTime() + within.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("has not come within " + within);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
