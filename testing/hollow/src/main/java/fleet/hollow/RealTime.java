package fleet.hollow;

import fleet.systemd.simulated.ConnectedProcess;
import fleet.systemd.simulated.SimulationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One simulated systemd in real time. Jobs take the time they take; calls and signals take none, as
 * thousands of systemds share processors here that each would have for itself.
 */
final class RealTime implements SimulationContext {

  /**
   * Jobs of all systemds end in step, so that the one timer of the process is woken up for many at
   * once: to wake up took it longer than what there was to do.
   */
  private static final long STEP_NANOS = Duration.ofMillis(10).toNanos();

  private final ScheduledExecutorService timer;
  private final Random random;
  private final ReentrantLock turn = new ReentrantLock();

  RealTime(ScheduledExecutorService timer, long seed) {
    this.timer = timer;
    this.random = new Random(seed);
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Random random() {
    return random;
  }

  @Override
  public void happens(Supplier<String> line) {
    // Nobody reads along.
  }

  @Override
  public void after(Duration delay, Runnable work) {
    long nanos = delay.toNanos();
    long toNextStep = nanos == 0 ? 0 : Math.floorMod(-(nanoTime() + nanos), STEP_NANOS);
    Future<?> _ =
        timer.schedule(() -> inTurn(() -> done(work)), nanos + toNextStep, TimeUnit.NANOSECONDS);
  }

  private static boolean done(Runnable work) {
    work.run();
    return true;
  }

  private <T> T inTurn(Supplier<T> call) {
    turn.lock();
    try {
      return call.get();
    } finally {
      turn.unlock();
    }
  }

  /** The process on this systemd's machine. */
  ConnectedProcess process() {
    return new Caller();
  }

  private final class Caller implements ConnectedProcess {
    @Override
    public void sleep(Duration time) {
      // A call takes no time here.
    }

    @Override
    public <T> T inTurn(Supplier<T> call) {
      return RealTime.this.inTurn(call);
    }

    /** At once, in the turn of the systemd that says it, which keeps the order. */
    @Override
    public void after(Duration delay, Runnable work) {
      work.run();
    }
  }
}
