package fleet.coordination.rpc;

import fleet.coordination.HeartbeatInterval;
import java.time.Duration;

/**
 * Has machines speak in step. Of thousands each in its own time, every one would find the leader
 * asleep and its processor busy with other things: that is most of what a heartbeat costs. Those
 * who speak together share it. A machine that is asked to speak a little sooner or later once stays
 * in step, as all of them wait equally long from then on.
 */
final class HeartbeatSchedule {

  private static final Duration LONGEST_STEP = Duration.ofMillis(500);

  /** Nobody is to speak at a time that is far from his own. */
  private static final int STEPS_IN_AN_INTERVAL = 16;

  private HeartbeatSchedule() {}

  /**
   * How long from now a machine is to speak again: until the beginning of a step that is nearest to
   * when it would by itself. If the beginning of one is missed by little, on either side, the next
   * is the same.
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

  /** Whether a machine does as it is asked to: what is far from its own time is a mistake. */
  static boolean isReasonable(Duration next, Duration ttl) {
    Duration own = HeartbeatInterval.of(ttl);
    return next.minus(own).abs().compareTo(own.dividedBy(STEPS_IN_AN_INTERVAL)) <= 0;
  }
}
