package fleet.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether machines can reach this engine over RPC: an engine that they cannot reach must not count
 * them as lost. Asked by the engine's loop; must answer at once.
 */
@FunctionalInterface
public interface RpcReachability {

  /** Machines can always reach the engine. */
  RpcReachability UNHINDERED = () -> Optional.of(new Opening(Duration.ofDays(365_000), false));

  /** Since when machines have been able to reach the engine; empty while they cannot. */
  Optional<Opening> opening();

  /**
   * The address at which machines reach this engine.
   *
   * @param ago how long it has been in use
   * @param moved whether there was another one before: machines that used it first have to notice
   *     that it does not answer any more
   */
  record Opening(Duration ago, boolean moved) {}
}
