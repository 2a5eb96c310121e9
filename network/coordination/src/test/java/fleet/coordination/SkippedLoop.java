package fleet.coordination;

import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A loop on a thread of its own, for which time passes when a test says so: timers that become due
 * run at once. Safe for use by many threads.
 */
public class SkippedLoop extends ForwardingLoop {

  private final Optional<LongSupplier> clock;
  private final AtomicLong skipped = new AtomicLong();

  /** The timers in the order in which they are due; guarded by itself. */
  private final TreeMap<Due, Runnable> later = new TreeMap<>();

  private long posted;
  private volatile boolean closed;

  /** For which time passes as everywhere, and more of it when a test says so. */
  public SkippedLoop(EventLoop loop) {
    this(loop, Optional.of(System::nanoTime));
  }

  /**
   * @param clock in nanoseconds; if there is none, time passes only when a test says so
   */
  public SkippedLoop(EventLoop loop, Optional<LongSupplier> clock) {
    super(loop);
    this.clock = clock;
  }

  @Override
  public long nanoTime() {
    return clock.map(LongSupplier::getAsLong).orElse(0L) + skipped.get();
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    Due due;
    synchronized (later) {
      due = new Due(nanoTime() + delay.toNanos(), ++posted);
      later.put(due, work);
    }
    Timer timer =
        clock.isPresent()
            ? super.postAfter(delay, () -> take(due).ifPresent(Runnable::run))
            : () -> {};
    return () -> {
      timer.cancel();
      Optional<Runnable> _ = take(due);
    };
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    Timer _ =
        postAfter(
            period,
            () -> {
              work.run();
              postEvery(period, work);
            });
  }

  private Optional<Runnable> take(Due due) {
    synchronized (later) {
      return Optional.ofNullable(later.remove(due));
    }
  }

  /**
   * Lets so much time pass at once, after the work that is queued now. The clock stops at the
   * moments of the timers, each of which has a turn of its own. Returns when all that is due by
   * then has run.
   */
  public void skip(Duration time) {
    if (!does(() -> {})) {
      return;
    }
    long end = nanoTime() + time.toNanos();
    Due due;
    while ((due = earliest()) != null && due.at() - end <= 0) {
      Due next = due;
      advanceTo(next.at());
      if (!does(() -> take(next).ifPresent(Runnable::run))) {
        return;
      }
    }
    advanceTo(end);
  }

  /** False if the loop is closed, be it by that work. */
  private boolean does(Runnable work) {
    try {
      return call(() -> {
        work.run();
        return true;
      });
    } catch (IllegalStateException e) {
      if (!closed) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    super.close();
  }

  private @Nullable Due earliest() {
    synchronized (later) {
      return later.isEmpty() ? null : later.firstKey();
    }
  }

  private void advanceTo(long moment) {
    skipped.addAndGet(Math.max(0, moment - nanoTime()));
  }

  private record Due(long at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(at - other.at, 0);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }
}
