package fleet.fleetd;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Whether a dependency of this fleetd is away, since when and why, for people. Safe for use by many
 * threads.
 */
final class DependencyOutage extends StatusProblem {

  private final Clock clock;
  private volatile Optional<Away> now = Optional.empty();

  /** Why it is away, and since when. */
  private record Away(Instant since, String why) {}

  /** Nothing is away yet. */
  DependencyOutage(Clock clock) {
    this.clock = clock;
  }

  /**
   * It is away, or is there again.
   *
   * @param why for people; empty if it is there
   */
  synchronized void is(Optional<String> why) {
    Optional<Away> before = now;
    now =
        why.map(text ->
            new Away(before.map(Away::since).orElseGet(() -> secondsOf(clock.instant())), text));
    if (!now.equals(before)) {
      changed();
    }
  }

  private static Instant secondsOf(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Since when it is away, and why; empty if it is there. */
  Optional<String> sinceWhen() {
    return now.map(away -> "%s: %s".formatted(away.since, away.why));
  }

  /** Since when it is away; empty if it is there. */
  Optional<Instant> since() {
    return now.map(Away::since);
  }
}
