package fleet.cluster;

import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * A request to restart a global unit on one machine after the other. The restart pauses if the unit
 * is not healthy on one. A paused one gives way to a new one.
 *
 * @param maxUnavailable on how many machines it may be down at a time, at least 1
 * @param healthy for how long it has to be active on a machine until the next one's turn comes
 */
public record NewRestart(UnitName name, int maxUnavailable, Duration healthy)
    implements NewOperation<RestartResult> {

  @Override
  public OperationId id() {
    return OperationId.restart(name);
  }
}
