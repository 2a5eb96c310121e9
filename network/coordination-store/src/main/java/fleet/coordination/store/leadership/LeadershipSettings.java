package fleet.coordination.store.leadership;

import java.time.Duration;
import java.util.Optional;

/**
 * How leadership is held.
 *
 * @param lease how long a silent leader stays one; at least 5 seconds, so that a slow store deposes
 *     nobody
 * @param port where a leader lets the other engines hold a connection, by which they notice at once
 *     that its process has ended; 0 for any that is free
 * @param served {@code host:port} where this process listens already, so that no port of its own is
 *     needed; empty if it does not
 * @param spokenTo whether machines speak to this engine itself when it leads
 */
public record LeadershipSettings(
    Duration lease, int port, Optional<String> served, boolean spokenTo) {

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
  private static final int LAST_PORT = 65_535;

  /** Where machines speak to this engine itself at a port that is served already. */
  public LeadershipSettings(Duration lease, int port, Optional<String> served) {
    this(lease, port, served, served.isPresent());
  }

  /** The same at another address. */
  LeadershipSettings servedAt(Optional<String> address) {
    return new LeadershipSettings(lease, port, address, spokenTo);
  }

  public LeadershipSettings {
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "a leader's lease lasts at least 5 seconds, not " + lease.toMillis() + " ms");
    }
    if (port < 0 || port > LAST_PORT) {
      throw new IllegalArgumentException("a port is between 0 and 65535, not " + port);
    }
  }
}
