package fleet.coordination.rpc;

import java.time.Duration;

/**
 * The last heartbeat of a machine, until it is given up. A machine with an acknowledged heartbeat
 * may count on its membership for the whole TTL: so acknowledging and giving up exclude each other.
 * Safe for use by many threads; times are in nanoseconds of the loop.
 */
final class HeartbeatTracker {

  private long heard;
  private boolean over;

  HeartbeatTracker(long now) {
    heard = now;
  }

  /** Notes a heartbeat; false if the machine has been given up, and must get no answer. */
  synchronized boolean beat(long now) {
    heard = Math.max(heard, now);
    return !over;
  }

  /** Gives it up if it has been silent for this long; returns whether it has. */
  synchronized boolean endsAfter(Duration silence, long now) {
    over |= now - heard >= silence.toNanos();
    return over;
  }

  /** When it has been silent for so long, if nothing is heard until then. */
  synchronized long endsAt(Duration silence) {
    return heard + silence.toNanos();
  }

  /** Whether it has been silent for so long. */
  synchronized boolean isSilentFor(Duration silence, long now) {
    return now - heard >= silence.toNanos();
  }

  /** Discounts time in which this leader could not hear it. */
  synchronized void forgive(long nanos, long now) {
    heard = Math.max(heard, Math.min(heard + nanos, now));
  }
}
