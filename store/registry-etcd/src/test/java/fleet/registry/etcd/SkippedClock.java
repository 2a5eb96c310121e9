package fleet.registry.etcd;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock in nanoseconds that a test puts forward. Safe for use by many threads. */
final class SkippedClock implements LongSupplier {

  private final AtomicLong skipped = new AtomicLong();

  void skip(Duration time) {
    skipped.addAndGet(time.toNanos());
  }

  @Override
  public long getAsLong() {
    return System.nanoTime() + skipped.get();
  }
}
