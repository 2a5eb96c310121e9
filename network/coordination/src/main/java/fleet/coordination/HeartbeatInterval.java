package fleet.coordination;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * The heartbeat interval of a machine by its TTL: a third of it, so that a machine without an
 * answer has time to try another server.
 *
 * <p>It is shorter if a fleetd that ends just before a heartbeat would have too little time to
 * restart before its units run elsewhere, and longer if there is much time.
 */
public final class HeartbeatInterval {

  /** How long a restart may take on a busy machine. */
  private static final Duration RESTART = Duration.ofSeconds(4);

  private static final Duration SHORTEST = Duration.ofMillis(500);

  /** From here on, a few seconds are left until two thirds, when units may have to stop. */
  private static final Duration LONG_TTL = Duration.ofSeconds(20);

  /**
   * The part of the TTL, in hundredths, to wait for an answer. A leader that is well answers much
   * sooner, unless it is short of CPU.
   */
  private static final int PATIENCE = 40;

  private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(500);

  private HeartbeatInterval() {}

  /** The time between two heartbeats, for a TTL of at least 2 s. */
  public static Duration of(Duration ttl) {
    if (ttl.compareTo(LONG_TTL) >= 0) {
      return ttl.multipliedBy(5).dividedBy(12);
    }
    Duration third = ttl.dividedBy(3);
    Duration leavesARestart = Collections.max(List.of(ttl.minus(RESTART), SHORTEST));
    return third.compareTo(leavesARestart) < 0 ? third : leavesARestart;
  }

  /** How long to wait for the answer to a heartbeat, for a TTL. */
  public static Duration patience(Duration ttl) {
    return Collections.max(List.of(ttl.multipliedBy(PATIENCE).dividedBy(100), SHORTEST_PATIENCE));
  }

  /** The longest time until missing answers are noticed, for a TTL. */
  public static Duration untilNoticed(Duration ttl) {
    return of(ttl).plus(patience(ttl));
  }
}
