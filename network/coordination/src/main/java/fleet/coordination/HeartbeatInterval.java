package fleet.coordination;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How often a machine says that it is there, for the time that it may be silent: three times within
 * that time, so that whoever is not answered has time to ask somebody else.
 *
 * <p>More often if little time would be left for a fleetd that ends just before it would have
 * spoken again: systemd starts it anew, and it should be back before its units run elsewhere. And
 * less often if much time would be left.
 */
public final class HeartbeatInterval {

  /** The time that a restart may take on a machine that has much else to do. */
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

  /** The time between two heartbeats of who may be silent for {@code ttl}, at least 2 s. */
  public static Duration of(Duration ttl) {
    if (ttl.compareTo(LONG_TTL) >= 0) {
      return ttl.multipliedBy(5).dividedBy(12);
    }
    Duration third = ttl.dividedBy(3);
    Duration leavesARestart = Collections.max(List.of(ttl.minus(RESTART), SHORTEST));
    return third.compareTo(leavesARestart) < 0 ? third : leavesARestart;
  }

  /** How long who may be silent for {@code ttl} waits for the answer to a heartbeat. */
  public static Duration patience(Duration ttl) {
    return Collections.max(List.of(ttl.multipliedBy(PATIENCE).dividedBy(100), SHORTEST_PATIENCE));
  }

  /** The longest until who may be silent for {@code ttl} notices that nobody answers any more. */
  public static Duration untilNoticed(Duration ttl) {
    return of(ttl).plus(patience(ttl));
  }
}
