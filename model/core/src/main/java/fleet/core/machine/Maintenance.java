package fleet.core.machine;

import java.time.Duration;
import java.time.Instant;

/**
 * A maintenance window of a machine: its fleetd may be away, and its units run on meanwhile.
 *
 * @param until when it ends by itself
 * @param by who asked for it
 * @param hostname of the machine, which may be away when it is asked for; empty if it has none
 */
public record Maintenance(Instant until, String by, String hostname) {

  /** The length of a window if nobody says how long. */
  public static final Duration USUAL = Duration.ofMinutes(30);

  public static final Duration SHORTEST = Duration.ofMinutes(1);

  /** A machine that dies meanwhile keeps its units away for so long. */
  public static final Duration LONGEST = Duration.ofHours(24);

  public boolean isOver(Instant now) {
    return !until.isAfter(now);
  }
}
