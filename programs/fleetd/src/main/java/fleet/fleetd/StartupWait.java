package fleet.fleetd;

import fleet.fleetd.notify.ServiceNotifier;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reason why a starting fleetd waits, and since when: reported to systemd at each change, and
 * to the journal once, then rarely. Safe for use by many threads.
 */
final class StartupWait {

  private static final Logger LOG = LoggerFactory.getLogger(StartupWait.class);

  private static final Duration REPEATED = Duration.ofMinutes(15);

  private final ServiceNotifier notifier;
  private final Clock clock;
  private Optional<Waiting> now = Optional.empty();
  private Instant said = Instant.MIN;

  private record Waiting(String what, Instant since, String why) {
    @Override
    public String toString() {
      String reason = why.startsWith(what + " ") ? "it" + why.substring(what.length()) : why;
      return "fleetd waits for %s, since %s: %s"
          .formatted(what, since.truncatedTo(ChronoUnit.SECONDS), reason);
    }
  }

  StartupWait(ServiceNotifier notifier, Clock clock) {
    this.notifier = notifier;
    this.clock = clock;
  }

  /** It is not there, or not yet as it must be. */
  synchronized void is(String what, String why) {
    Instant time = clock.instant();
    Optional<Waiting> before = now;
    Instant since = before.filter(one -> one.what.equals(what)).map(Waiting::since).orElse(time);
    Waiting waiting = new Waiting(what, since, why);
    now = Optional.of(waiting);
    if (!now.equals(before)) {
      notifier.status(waiting.toString());
    }
    boolean isOther = before.filter(one -> one.what.equals(what)).isEmpty();
    if (isOther || said.plus(REPEATED).isBefore(time)) {
      said = time;
      LOG.warn("{}", waiting);
    } else {
      LOG.debug("{}", waiting);
    }
  }

  /** All is there. */
  synchronized void isOver() {
    now.ifPresent(waiting ->
        LOG.info(
            "{} is there, after {} s",
            waiting.what,
            Duration.between(waiting.since, clock.instant()).toSeconds()));
    now = Optional.empty();
  }

  /** For people. */
  synchronized String text() {
    return now.map(Waiting::toString).orElse("fleetd starts");
  }
}
