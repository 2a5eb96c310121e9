package fleet.coordination.rpc;

import java.time.Duration;

/**
 * The authorities of the cluster, as sent to machines with each heartbeat.
 *
 * @param authorities tells them apart from others; 0 if there is nothing to tell
 * @param within the time over which machines that know others ask for them
 */
public record TrustNews(long authorities, Duration within) {

  static final TrustNews NONE = new TrustNews(0, Duration.ZERO);
}
