package fleet.coordination.rpc;

import fleet.coordination.HeartbeatInterval;
import java.time.Duration;

/**
 * Aligns the heartbeats of machines. If thousands of machines spoke at their own times, each would
 * wake the leader separately, which is most of the cost of a heartbeat. Machines that speak
 * together share it. A machine that is shifted once stays aligned, since all use the same interval.
 */
final class HeartbeatSchedule {

  private static final Duration LONGEST_STEP = Duration.ofMillis(500);

  /** No machine is shifted far. */
  private static final int STEPS_IN_AN_INTERVAL = 16;

  private HeartbeatSchedule() {}

  /**
   * When a machine should speak next: at the slot nearest to its own time. If it misses a slot by
   * little, on either side, the next one stays the same.
   *
   * @param ttl for how long it may be silent
   * @param now in nanoseconds of the leader's loop
   */
  static Duration next(Duration ttl, long now) {
    long interval = HeartbeatInterval.of(ttl).toNanos();
    long half = step(interval) / 2;
    return Duration.ofNanos(interval + half - Math.floorMod(now + interval + half, 2 * half));
  }

  private static long step(long interval) {
    return Math.min(LONGEST_STEP.toNanos(), interval / STEPS_IN_AN_INTERVAL);
  }

  /** Whether a machine should follow the request: a time far from its own is a mistake. */
  static boolean isReasonable(Duration next, Duration ttl) {
    Duration own = HeartbeatInterval.of(ttl);
    return next.minus(own).abs().compareTo(own.dividedBy(STEPS_IN_AN_INTERVAL)) <= 0;
  }
}
