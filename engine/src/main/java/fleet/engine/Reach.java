package fleet.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether machines that speak to the leader itself can come to this engine: one that they cannot
 * come to must not take them for lost. Asked by the engine's loop; must answer at once.
 */
@FunctionalInterface
public interface Reach {

  /** Nothing is ever in their way. */
  Reach UNHINDERED = () -> Optional.of(Duration.ofDays(365_000));

  /** For how long they have been able to come; empty while they cannot. */
  Optional<Duration> openFor();
}
