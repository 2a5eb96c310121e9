package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.coordination.ForwardingLoop;
import fleet.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Loops on threads of their own, for which time passes when a test says so, and which tell when
 * they have nothing left to do. Safe for use by many threads.
 */
final class SteeredLoops {

  /** Work that goes on as long as its loop. */
  private static final Set<String> LASTING =
      Set.of("line to the leader", "leader's port", "guest of the leader's port");

  private final Optional<LongSupplier> clock;
  private final List<Steered> loops = new CopyOnWriteArrayList<>();

  private SteeredLoops(Optional<LongSupplier> clock) {
    this.clock = clock;
  }

  /** For which time passes as everywhere, and more of it when a test says so. */
  static SteeredLoops running() {
    return new SteeredLoops(Optional.of(System::nanoTime));
  }

  /** For which no other time passes: to see what happens not yet, and what happens in turn. */
  static SteeredLoops standing() {
    return new SteeredLoops(Optional.empty());
  }

  /** As an {@link EventLoop.Starter}. */
  EventLoop start(String name, Runnable turnEnd) {
    var turns = new Turns();
    var thread =
        new EventThread(
            name,
            () -> {
              turnEnd.run();
              turns.ended();
            });
    var loop = new Steered(thread, clock, turns);
    loops.add(loop);
    return loop;
  }

  /** So much time passes at once; what becomes due by then has begun when this returns. */
  void skip(Duration time) {
    loops.forEach(loop -> loop.skip(time));
  }

  /** Waits until the loops, and what they do beside themselves, have nothing left to do. */
  void settle() throws InterruptedException {
    long begun;
    do {
      begun = begun();
      for (Steered loop : loops) {
        loop.awaitTurn();
        loop.awaitNothingBeside();
      }
    } while (begun() != begun);
  }

  private long begun() {
    return loops.stream().mapToLong(Steered::begun).sum();
  }

  /** How many turns of a loop have ended. */
  private static final class Turns {
    private long ended;

    synchronized void ended() {
      ended++;
      notifyAll();
    }

    synchronized long count() {
      return ended;
    }

    synchronized void awaitOneAfter(long count) throws InterruptedException {
      Await.notified(this, () -> ended > count, () -> "turns: " + ended);
    }
  }

  private record Due(long at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(at - other.at, 0);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private static final class Steered extends ForwardingLoop {
    private final Optional<LongSupplier> clock;
    private final Turns turns;
    private final AtomicLong skipped = new AtomicLong();

    /** What is put off, in the order in which it is due; guarded by itself. */
    private final TreeMap<Due, Runnable> later = new TreeMap<>();

    private long posted;
    private long begun;
    private long ended;

    Steered(EventLoop loop, Optional<LongSupplier> clock, Turns turns) {
      super(loop);
      this.clock = clock;
      this.turns = turns;
    }

    // ---- time

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

    /** The clock stops at the moments of the timers, each of which has a turn of its own. */
    void skip(Duration time) {
      long end = nanoTime() + time.toNanos();
      Due due;
      while ((due = earliest()) != null && due.at() - end <= 0) {
        Due next = due;
        advanceTo(next.at());
        boolean _ =
            call(() -> {
              take(next).ifPresent(Runnable::run);
              return true;
            });
      }
      advanceTo(end);
    }

    private @Nullable Due earliest() {
      synchronized (later) {
        return later.isEmpty() ? null : later.firstKey();
      }
    }

    private void advanceTo(long moment) {
      skipped.addAndGet(Math.max(0, moment - nanoTime()));
    }

    // ---- what is left to do

    @Override
    public void beside(String name, Runnable work) {
      if (LASTING.contains(name)) {
        super.beside(name, work);
        return;
      }
      begin();
      super.beside(
          name,
          () -> {
            try {
              work.run();
            } finally {
              end();
            }
          });
    }

    private synchronized void begin() {
      begun++;
    }

    private synchronized void end() {
      ended++;
      notifyAll();
    }

    synchronized long begun() {
      return begun;
    }

    synchronized void awaitNothingBeside() throws InterruptedException {
      Await.notified(this, () -> ended == begun, () -> "beside the loop: " + (begun - ended));
    }

    /** What was posted before has been done, and its turn has ended. */
    void awaitTurn() throws InterruptedException {
      turns.awaitOneAfter(call(turns::count));
    }
  }
}
