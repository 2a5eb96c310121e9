package fleet.cluster;

import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * A request to restart a global unit on one machine after the other.
 *
 * @param maxUnavailable on how many machines it may be down at a time, at least 1
 * @param healthy for how long it has to be active on a machine until the next one's turn comes
 */
public record NewRestart(UnitName name, int maxUnavailable, Duration healthy) {}
