package fleet.fleetctl.client;

import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import fleet.fleetctl.http.LateAnswerException;
import fleet.fleetctl.http.NotConnectedException;
import fleet.fleetctl.http.NotHttpException;
import fleet.fleetctl.http.TlsException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Retries a request whose answer was cut off, for example by a restart of fleetd, and says so once.
 * If fleetd was never reached, nothing is retried; a fleetd that reports that it is still starting
 * is waited for. Safe for use by many threads.
 */
final class Retries {

  private static final long PATIENCE_SECONDS = 10;
  private static final long PAUSE_MILLIS = 200;
  private static final int UNAVAILABLE = 503;

  /** Sent by a fleetd that has not begun yet. */
  private static final String RETRY_AFTER = "retry-after";

  /** Sent by a fleetd that will not begin before somebody has corrected something. */
  private static final String REFUSED = "fleet-refused";

  private final Consumer<String> notices;
  private String waitsFor = "";
  private boolean met;
  private boolean broken;
  private long brokenSince;

  /**
   * @param notices takes a line when something is tried again
   */
  Retries(Consumer<String> notices) {
    this.notices = notices;
  }

  /** One attempt. */
  interface Attempt {
    HttpAnswer make() throws IOException;
  }

  /** Reads why fleetd refuses, which ends the answer. */
  interface Refusal {
    String of(HttpAnswer answer) throws IOException;
  }

  /** How long to wait for a fleetd that has not begun yet. */
  enum Starting {
    /** No limit: services that are ordered after fleetd must not fail because fleetd is late. */
    AS_LONG_AS_IT_TAKES,
    /** As long as fleetd looks for a leader: for commands that only display. */
    BRIEFLY
  }

  /**
   * @param repeated whether an earlier attempt may already have done what was asked
   */
  record Outcome(HttpAnswer answer, boolean repeated) {}

  /**
   * Makes attempts until one is answered.
   *
   * @param starting how long to wait for a fleetd that has not begun yet
   */
  Outcome call(HttpRequest request, Attempt attempt, Refusal refusal, Starting starting)
      throws IOException {
    long begun = System.nanoTime();
    boolean repeated = false;
    while (true) {
      try {
        HttpAnswer answer = attempt.make();
        if (isStarting(answer) && (starting != Starting.BRIEFLY || isWithinPatience(begun))) {
          waits(refusal.of(answer));
        } else if (isFinal(answer) || !isWorthAnother()) {
          answered();
          return new Outcome(answer, repeated);
        }
      } catch (IOException e) {
        expectRetriable(request, e);
        repeated |= !(e instanceof NotConnectedException);
      }
      pause();
    }
  }

  private static boolean isFinal(HttpAnswer answer) {
    return answer.status() != UNAVAILABLE || isRefusal(answer);
  }

  /** Whether fleetd cannot start, which its message says in full. */
  static boolean isRefusal(HttpAnswer answer) {
    return answer.status() == UNAVAILABLE && answer.header(REFUSED).isPresent();
  }

  private static boolean isStarting(HttpAnswer answer) {
    return answer.status() == UNAVAILABLE && answer.header(RETRY_AFTER).isPresent();
  }

  /** Prints what fleetd waits for, and again when that changes. */
  private synchronized void waits(String why) {
    met = true;
    broken = false;
    if (!waitsFor.equals(why)) {
      waitsFor = why;
      notices.accept(why + "; waiting with it");
    }
  }

  private synchronized boolean isWorthAnother() {
    return broken && isWithinPatience(brokenSince);
  }

  private static boolean isWithinPatience(long since) {
    return System.nanoTime() - since < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  }

  private synchronized void answered() {
    met = true;
    broken = false;
  }

  /** Returns if another attempt makes sense. */
  private synchronized void expectRetriable(HttpRequest request, IOException e) throws IOException {
    boolean sent = !(e instanceof NotConnectedException);
    boolean lasts =
        e instanceof LateAnswerException
            || e instanceof NotHttpException
            || e instanceof TlsException;
    if (lasts || (!sent && !met)) {
      throw e;
    }
    met = true;
    if (sent && !request.isIdempotent()) {
      throw new IOException(
          e.getMessage() + "; whether fleetd did what was asked is not known: look at the unit", e);
    }
    if (!broken) {
      broken = true;
      brokenSince = System.nanoTime();
      notices.accept(e.getMessage() + "; trying again for " + PATIENCE_SECONDS + " s");
    } else if (!isWorthAnother()) {
      throw new IOException(e.getMessage() + " (tried for " + PATIENCE_SECONDS + " s)", e);
    }
  }

  /** No event tells that a fleetd has started again. */
  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
