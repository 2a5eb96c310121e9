package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a lease three times within its TTL, or at a given interval, and continues through outages
 * of the store until the store says that the lease has ended: only the store decides that, not a
 * clock here.
 *
 * <p>It does not wait for a hanging attempt: the next one starts beside it soon, and may reach
 * another member of the store. Belongs to its loop.
 */
public final class LeaseRenewal implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaseRenewal.class);

  private static final int ATTEMPTS_PER_TTL = 3;
  private static final Duration RETRY = Duration.ofMillis(500);

  /** A healthy store has answered by then; one with a dead member may not have. */
  private static final Duration PROMPT = Duration.ofMillis(600);

  /** More than these hang only when the store is away for long. */
  private static final int MOST_HANGING = 4;

  /** Gets the fate of a lease, on the loop. */
  @FunctionalInterface
  public interface Listener {

    /**
     * The store has renewed the lease.
     *
     * @param sentAgo the age of the request: the lease lasts at least its TTL from then
     */
    default void acknowledged(Duration sentAgo) {}

    /** The lease has ended, and its keys with it; nothing comes after this. */
    void ended(String why);
  }

  private final EventLoop loop;
  private final String what;
  private final Lease lease;
  private final Duration interval;
  private final Listener listener;
  private long lastAcknowledged;
  private int underWay;
  private EventLoop.Timer due = () -> {};
  private boolean over;
  private boolean failing;

  /**
   * Begins to renew a lease that was granted or renewed a moment ago.
   *
   * @param what the lease stands for, for messages
   */
  public LeaseRenewal(EventLoop loop, String what, Lease lease, Listener listener) {
    this(loop, what, lease, lease.ttl().dividedBy(ATTEMPTS_PER_TTL), listener);
  }

  /**
   * @param interval from one renewal to the next
   */
  public LeaseRenewal(
      EventLoop loop, String what, Lease lease, Duration interval, Listener listener) {
    this.loop = loop;
    this.what = what;
    this.lease = lease;
    this.interval = interval;
    this.listener = listener;
    this.lastAcknowledged = loop.nanoTime();
    nextIn(interval);
  }

  public Lease lease() {
    return lease;
  }

  /**
   * Puts the next attempt off or brings it forward; the one that was due before does not happen.
   */
  private void nextIn(Duration delay) {
    due.cancel();
    due = loop.postAfter(delay, this::attempt);
  }

  private void attempt() {
    nextIn(Collections.min(List.of(interval, PROMPT)));
    if (underWay == MOST_HANGING) {
      return;
    }
    underWay++;
    long sent = loop.nanoTime();
    loop.beside(
        "renewal of " + what,
        () -> {
          try {
            boolean alive = lease.renew();
            loop.post(() -> answered(sent, alive));
          } catch (RegistryException e) {
            loop.post(() -> failed(e));
          }
        });
  }

  private void answered(long sent, boolean alive) {
    underWay--;
    if (over) {
      return;
    }
    if (!alive) {
      close();
      listener.ended("the lease of " + what + " has ended");
      return;
    }
    if (failing) {
      failing = false;
      log.info("coordination: the lease of {} is renewed again", what);
    }
    if (sent - lastAcknowledged > 0) {
      lastAcknowledged = sent;
      Duration ago = Duration.ofNanos(loop.nanoTime() - sent);
      nextIn(interval.compareTo(ago) > 0 ? interval.minus(ago) : Duration.ZERO);
      listener.acknowledged(ago);
    }
  }

  private void failed(RegistryException why) {
    underWay--;
    if (over) {
      return;
    }
    if (!failing) {
      failing = true;
      log.warn(
          "coordination: the lease of {} is not renewed, trying on: {}", what, why.getMessage());
    }
    nextIn(Collections.min(List.of(interval, RETRY)));
  }

  /** Stops renewals without ending the lease. */
  @Override
  public void close() {
    over = true;
    due.cancel();
  }

  /** Stops renewals, and ends the lease beside the loop. */
  public void end() {
    close();
    loop.beside("end of the lease of " + what, () -> revoke(lease));
  }

  /** Ends a lease, which ends by itself if the store does not answer. Waits for the store. */
  public static void revoke(Lease lease) {
    try {
      lease.revoke();
    } catch (RegistryException e) {
      log.debug("coordination: a lease is left to end by itself: {}", e.getMessage());
    }
  }
}
