package fleet.trust;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Renews the identity of this machine when half of its life is over, and goes on trying where that
 * fails. One virtual thread, which sleeps nearly always.
 */
public final class Renewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

  /** How long a clock that was set, or a machine that slept, goes unnoticed. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(10);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofHours(1);

  private final OwnIdentity own;
  private final IdentityFile file;
  private final Issuer issuer;
  private final Clock clock;
  private final Sleep sleep;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** How time passes. */
  interface Sleep {
    /** True where the latch opened meanwhile. */
    boolean isWoken(CountDownLatch by, Duration within) throws InterruptedException;
  }

  /**
   * Begins to watch over an identity.
   *
   * @param file where the identity is kept
   */
  public static Renewal start(OwnIdentity own, IdentityFile file, Issuer issuer, Clock clock) {
    return start(
        own,
        file,
        issuer,
        clock,
        (by, within) -> by.await(within.toMillis(), TimeUnit.MILLISECONDS));
  }

  static Renewal start(
      OwnIdentity own, IdentityFile file, Issuer issuer, Clock clock, Sleep sleep) {
    Renewal renewal = new Renewal(own, file, issuer, clock, sleep);
    renewal.thread.start();
    return renewal;
  }

  private Renewal(OwnIdentity own, IdentityFile file, Issuer issuer, Clock clock, Sleep sleep) {
    this.own = own;
    this.file = file;
    this.issuer = issuer;
    this.clock = clock;
    this.sleep = sleep;
    this.thread = Thread.ofVirtual().name("identity-renewal").unstarted(this::run);
  }

  private void run() {
    try {
      while (!dozes(untilDue())) {
        if (!untilDue().isPositive()) {
          renew();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration untilDue() {
    return Duration.between(clock.instant(), own.get().renewalDue());
  }

  /** True where it was closed meanwhile. */
  private boolean dozes(Duration atMost) throws InterruptedException {
    return sleep.isWoken(closed, shorter(atMost, LONGEST_SLEEP));
  }

  /** The same, of all the time; a machine that slept finds that it has passed. */
  private boolean waits(Duration time) throws InterruptedException {
    Instant until = clock.instant().plus(time);
    Duration left = time;
    while (left.isPositive() && clock.instant().isBefore(until)) {
      if (dozes(left)) {
        return true;
      }
      left = left.minus(LONGEST_SLEEP);
    }
    return false;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void renew() throws InterruptedException {
    Duration retry = FIRST_RETRY;
    while (true) {
      try {
        Identity next = file.obtain(own.get().peer().machine(), issuer);
        own.replace(next);
        LOG.info("this machine's certificate was renewed, and is good until {}", next.expires());
        if (!next.isDue(clock.instant())) {
          return;
        }
        // It would be so at once again, as often as a server can be asked.
        LOG.warn("that is soon by this machine's clock, {}: check the clocks", clock.instant());
        retry = LAST_RETRY;
      } catch (TrustException | IOException | RuntimeException e) {
        complain(e, retry);
      }
      if (waits(retry)) {
        return;
      }
      retry = shorter(retry.multipliedBy(2), LAST_RETRY);
    }
  }

  private void complain(Exception failure, Duration retry) {
    Instant expires = own.get().expires();
    String text =
        "this machine's certificate, good until {}, could not be renewed: {}; next try in {} s";
    LOG.atLevel(isPast(expires) ? Level.ERROR : Level.WARN)
        .log(text, expires, String.valueOf(failure.getMessage()), retry.toSeconds());
  }

  private boolean isPast(Instant moment) {
    return !clock.instant().isBefore(moment);
  }

  /** Ends the watch; the identity stays as it is. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
