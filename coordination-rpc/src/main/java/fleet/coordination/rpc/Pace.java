package fleet.coordination.rpc;

import fleet.coordination.HeartbeatInterval;
import java.time.Duration;

/**
 * Has machines speak in step. Of thousands each in its own time, every one would find the leader
 * asleep and its processor busy with other things: that is most of what a heartbeat costs. Those
 * who speak together share it. A machine that is asked to speak a little sooner once stays in step,
 * as all of them wait equally long from then on.
 */
final class Pace {

  private static final Duration LONGEST_STEP = Duration.ofMillis(500);

  /** Nobody is to speak much more often than he would. */
  private static final int STEPS_IN_AN_INTERVAL = 16;

  private Pace() {}

  /**
   * How long from now a machine is to speak again.
   *
   * @param ttl for how long it may be silent
   * @param now in nanoseconds of the leader's loop
   */
  static Duration next(Duration ttl, long now) {
    long interval = HeartbeatInterval.of(ttl).toNanos();
    long step = Math.min(LONGEST_STEP.toNanos(), interval / STEPS_IN_AN_INTERVAL);
    return Duration.ofNanos(interval - Math.floorMod(now + interval, step));
  }
}
