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
  Reach UNHINDERED = () -> Optional.of(new Opening(Duration.ofDays(365_000), false));

  /** Since when they have been able to come; empty while they cannot. */
  Optional<Opening> opening();

  /**
   * The place where machines can come to this engine.
   *
   * @param ago how long it has been there
   * @param moved whether there was another one before: machines that spoke to that first have to
   *     notice that nobody answers there any more
   */
  record Opening(Duration ago, boolean moved) {}
}
