package fleet.trust;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Renews the identity of this machine at half of its life, or when another authority signs, and
 * keeps its trusted authorities current. Retries after failures. One virtual thread, which sleeps
 * nearly always.
 */
public final class Renewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

  /** How long a clock that was set, or a machine that slept, goes unnoticed. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(10);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofHours(1);

  /** The cluster waits for machines that do not trust its next authority yet. */
  private static final Duration LAST_RETRY_OF_NEWS = Duration.ofSeconds(15);

  private final OwnIdentity own;
  private final IdentityFile file;
  private final Issuer issuer;
  private final Clock clock;
  private final Sleep sleep;
  private final Thread thread;
  private volatile CountDownLatch wake = new CountDownLatch(1);
  private volatile boolean isClosed;

  /** The last announced authorities, by their generation. */
  private long heard;

  /** Those that it has reported about. */
  private long known;

  /** When it requests the announced ones; empty if there is nothing to request. */
  private Optional<Instant> newsDue = Optional.empty();

  // The next three belong to the thread alone.
  private Instant pausedUntil = Instant.MIN;
  private Duration pauseLeft = Duration.ZERO;
  private Duration retry = Duration.ZERO;

  /** How time passes. */
  interface Sleep {
    /** True if the latch opened meanwhile. */
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

  /**
   * Announces the present authorities of the cluster; new ones are requested.
   *
   * @param generation of the authorities
   * @param within the time over which machines are spread, as all hear of it at once
   */
  public void hear(long generation, Duration within) {
    synchronized (this) {
      if (generation == known || generation == heard) {
        return;
      }
      heard = generation;
      long spread = ThreadLocalRandom.current().nextLong(within.toMillis() + 1);
      newsDue = Optional.of(clock.instant().plusMillis(spread));
    }
    wake.countDown();
  }

  private synchronized Optional<Instant> newsDue() {
    return newsDue;
  }

  private synchronized void newsReceived(Optional<Long> generation, long asked) {
    generation.ifPresent(now -> known = now);
    if (heard == asked) {
      newsDue = Optional.empty();
    }
  }

  private synchronized long heard() {
    return heard;
  }

  private void run() {
    try {
      while (!isClosed) {
        doze(untilNext());
        if (!isClosed && !untilNext().isPositive()) {
          attempt();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration untilNext() {
    Instant due = own.get().renewalDue();
    Instant next = newsDue().filter(due::isAfter).orElse(due);
    Duration left = Duration.between(clock.instant(), next);
    Duration paused = paused();
    return left.compareTo(paused) > 0 ? left : paused;
  }

  /** How long it does nothing after a failure; a clock that was set back makes that no longer. */
  private Duration paused() {
    return isPast(pausedUntil)
        ? Duration.ZERO
        : shorter(Duration.between(clock.instant(), pausedUntil), pauseLeft);
  }

  private void doze(Duration atMost) throws InterruptedException {
    CountDownLatch by = wake;
    Duration time = shorter(atMost, LONGEST_SLEEP);
    if (!sleep.isWoken(by, time)) {
      pauseLeft = pauseLeft.minus(time);
    } else if (!isClosed) {
      wake = new CountDownLatch(1);
      retry = Duration.ZERO;
      pause(Duration.ZERO);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void attempt() throws InterruptedException {
    try {
      if (own.get().isDue(clock.instant())) {
        renew();
      }
      if (newsDue().filter(this::isPast).isPresent()) {
        ask();
      }
      retry = Duration.ZERO;
      pause(Duration.ZERO);
      if (own.get().isDue(clock.instant())) {
        // It would be so at once again, as often as a server can be asked.
        LOG.warn("that is soon by this machine's clock, {}: check the clocks", clock.instant());
        pause(LAST_RETRY);
      }
    } catch (TrustException | IOException | RuntimeException e) {
      Duration longest = newsDue().isPresent() ? LAST_RETRY_OF_NEWS : LAST_RETRY;
      retry = retry.isZero() ? FIRST_RETRY : shorter(retry.multipliedBy(2), longest);
      pause(retry);
      complain(e);
    }
  }

  private void pause(Duration time) {
    pauseLeft = time;
    pausedUntil = clock.instant().plus(time);
  }

  /**
   * Trusts what the cluster trusts, gets a certificate of the signing authority, and reports it.
   */
  private void ask() throws TrustException, IOException, InterruptedException {
    long asked = heard();
    Optional<Authorities> authorities = issuer.report(own.get());
    while (authorities.isPresent() && isChanged(authorities.get())) {
      authorities = issuer.report(own.get());
      requireBy(authorities);
    }
    newsReceived(authorities.map(Authorities::generation), asked);
  }

  private boolean isChanged(Authorities authorities)
      throws TrustException, IOException, InterruptedException {
    Identity before = own.get();
    believe(authorities);
    if (!before.authority().equals(authorities.signing())) {
      renew();
    }
    return !before.equals(own.get());
  }

  private void requireBy(Optional<Authorities> authorities) throws IOException {
    Optional<X509Certificate> signing = authorities.map(Authorities::signing);
    if (signing.isPresent() && !signing.get().equals(own.get().authority())) {
      throw new IOException("it was replaced once more meanwhile");
    }
  }

  private void believe(Authorities authorities) throws TrustException, IOException {
    for (X509Certificate authority : authorities.trusted()) {
      requireGood(authority);
    }
    Identity believing = own.get().believing(authorities);
    if (!believing.equals(own.get())) {
      file.write(believing);
      own.replace(believing);
      LOG.info(
          "this machine believes {} from now on",
          authorities.trusted().stream().map(Fingerprint::of).map(Fingerprint::brief).toList());
    }
  }

  private void requireGood(X509Certificate authority) throws TrustException {
    try {
      authority.checkValidity(Date.from(clock.instant()));
    } catch (CertificateException e) {
      throw new TrustException(
          "the cluster's authority is good from %s until %s, and here it is %s: check the clocks"
              .formatted(
                  authority.getNotBefore().toInstant(),
                  authority.getNotAfter().toInstant(),
                  clock.instant()),
          e);
    }
  }

  private void renew() throws TrustException, IOException, InterruptedException {
    Identity next = file.obtain(own.get().peer().machine(), issuer);
    own.replace(next);
    LOG.info("this machine's certificate was renewed, and is good until {}", next.expires());
    newsDue(clock.instant());
  }

  /** The cluster does not know yet. */
  private synchronized void newsDue(Instant now) {
    newsDue = Optional.of(now);
  }

  private void complain(Exception failure) {
    Instant expires = own.get().expires();
    String text =
        newsDue().isPresent()
            ? "this machine, whose certificate is good until {}, cannot follow the cluster to its next"
                + " authority: {}; next try in {} s"
            : "this machine's certificate, good until {}, could not be renewed: {}; next try in {} s";
    LOG.atLevel(isPast(expires) ? Level.ERROR : Level.WARN)
        .log(text, expires, String.valueOf(failure.getMessage()), retry.toSeconds());
  }

  private boolean isPast(Instant moment) {
    return !clock.instant().isBefore(moment);
  }

  /** Ends the watch; the identity stays as it is. */
  @Override
  public void close() {
    isClosed = true;
    wake.countDown();
    thread.interrupt();
  }
}
