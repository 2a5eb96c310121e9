package fleet.coordination.rpc;

import java.time.Duration;

/**
 * When a machine was heard last, until it counts as gone. Whoever is told that it was heard may
 * count on being part of the cluster for its whole TTL from then on: so hearing it and giving it up
 * exclude each other. Safe for use by many threads; moments are in nanoseconds of the loop.
 */
final class HeartbeatTracker {

  private long heard;
  private boolean over;

  HeartbeatTracker(long now) {
    heard = now;
  }

  /** The machine was heard; false if it has been given up, and is to be told nothing. */
  synchronized boolean beat(long now) {
    heard = Math.max(heard, now);
    return !over;
  }

  /** Gives it up if it has been silent for so long; returns whether it has. */
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

  /** Time in which nobody could hear it is no silence. */
  synchronized void forgive(long nanos, long now) {
    heard = Math.max(heard, Math.min(heard + nanos, now));
  }
}
