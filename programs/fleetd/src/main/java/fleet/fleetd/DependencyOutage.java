package fleet.fleetd;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Whether a dependency of this fleetd is away, since when and why, for people. Safe for use by many
 * threads.
 */
final class DependencyOutage {

  private final Clock clock;
  private final Object telling = new Object();
  private volatile Optional<Away> now = Optional.empty();
  private volatile Runnable change = () -> {};

  /** Why it is away, and since when. */
  private record Away(Instant since, String why) {}

  /** Nothing is away yet. */
  DependencyOutage(Clock clock) {
    this.clock = clock;
  }

  /** Runs something whenever that changes, one run at a time, on another thread. */
  void onChange(Runnable work) {
    change = work;
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
      // systemd may be slow to take what it is told.
      Thread.ofVirtual().name("silence").start(this::tell);
    }
  }

  private static Instant secondsOf(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private void tell() {
    synchronized (telling) {
      change.run();
    }
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
