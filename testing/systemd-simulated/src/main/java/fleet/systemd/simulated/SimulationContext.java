package fleet.systemd.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The time and the chance that a simulated systemd lives in. All that happens to one systemd
 * happens in turns, one after the other: what is done {@link #after} a time, and what callers do
 * {@linkplain ConnectedProcess#inTurn in their turn}.
 */
public interface SimulationContext {

  Instant instant();

  /** Nanoseconds since some moment. */
  long nanoTime();

  Random random();

  /** Has something happen later, in a turn of its own. */
  void after(Duration delay, Runnable work);

  /** Takes note of what happens, if anybody wants to know. */
  void happens(Supplier<String> line);

  /** A duration between none and this. */
  default Duration upTo(Duration most) {
    return Duration.ofNanos(random().nextLong(most.toNanos() + 1));
  }

  default boolean chance(double probability) {
    return random().nextDouble() < probability;
  }
}
