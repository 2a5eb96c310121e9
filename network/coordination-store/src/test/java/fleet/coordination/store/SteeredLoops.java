package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.coordination.SkippedLoop;
import fleet.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Loops on threads of their own, for which time passes when a test says so, and which tell when
 * they have nothing left to do. Safe for use by many threads.
 */
public final class SteeredLoops {

  /** Work that goes on as long as its loop. */
  private static final Set<String> LASTING =
      Set.of("line to the leader", "leader's port", "guest of the leader's port");

  private final Optional<LongSupplier> clock;
  private final List<Steered> loops = new CopyOnWriteArrayList<>();

  private SteeredLoops(Optional<LongSupplier> clock) {
    this.clock = clock;
  }

  /** For which time passes as everywhere, and more of it when a test says so. */
  public static SteeredLoops running() {
    return new SteeredLoops(Optional.of(System::nanoTime));
  }

  /** For which no other time passes: to see what happens not yet, and what happens in turn. */
  public static SteeredLoops standing() {
    return new SteeredLoops(Optional.empty());
  }

  /** As an {@link EventLoop.Factory}. */
  public EventLoop start(String name, Runnable turnEnd) {
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
  public void skip(Duration time) {
    loops.forEach(loop -> loop.skip(time));
  }

  /** Waits until the loops, and what they do beside themselves, have nothing left to do. */
  public void settle() throws InterruptedException {
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

  private static final class Steered extends SkippedLoop {
    private final Turns turns;
    private long begun;
    private long ended;

    Steered(EventLoop loop, Optional<LongSupplier> clock, Turns turns) {
      super(loop, clock);
      this.turns = turns;
    }

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

    /** Waits until the work that is queued now is done, and its turn has ended. */
    void awaitTurn() throws InterruptedException {
      turns.awaitOneAfter(call(turns::count));
    }
  }
}
