package fleet.coordination;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Loops on threads of their own, for which time also passes when a test says so: timers that become
 * due run at once. A test that shows that something happens not yet gives it hours, so that the
 * time that passes meanwhile does not matter. Safe for use by many threads.
 */
public final class SkippedTime {

  private final List<Loop> loops = new CopyOnWriteArrayList<>();

  /** As an {@link EventLoop.Starter}. */
  public EventLoop start(String name, Runnable turnEnd) {
    var loop = new Loop(new EventThread(name, turnEnd));
    loops.add(loop);
    return loop;
  }

  /**
   * So much time passes at once, after the work that is queued now. Returns when all that is due by
   * then has run.
   */
  public void skip(Duration time) {
    loops.forEach(loop -> loop.skip(time));
  }

  private record Due(long at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(at - other.at, 0);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final class Loop extends ForwardingLoop {
    private final AtomicLong skipped = new AtomicLong();

    /** What is put off, in the order in which it is due; guarded by itself. */
    private final TreeMap<Due, Runnable> later = new TreeMap<>();

    private long posted;
    private volatile boolean closed;

    Loop(EventLoop loop) {
      super(loop);
    }

    @Override
    public long nanoTime() {
      return super.nanoTime() + skipped.get();
    }

    @Override
    public Timer postAfter(Duration delay, Runnable work) {
      Due due;
      synchronized (later) {
        due = new Due(nanoTime() + delay.toNanos(), ++posted);
        later.put(due, work);
      }
      Timer timer = super.postAfter(delay, () -> take(due).ifPresent(Runnable::run));
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

    /** The clock stops at the moments of the timers, each of which has a turn of its own. */
    void skip(Duration time) {
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
      loops.remove(this);
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
  }
}
