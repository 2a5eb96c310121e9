package fleet.ctl.client;

import fleet.ctl.http.HttpRequest;
import fleet.ctl.http.LateAnswerException;
import fleet.ctl.http.NotConnectedException;
import fleet.ctl.http.NotHttpException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Sends a request again whose answer was cut off, as by a fleetd that is restarted in the middle of
 * a command, and says so once. Where fleetd was not there to begin with, nothing is tried again.
 * Safe for use by many threads.
 */
final class Retries {

  private static final long PATIENCE_SECONDS = 10;
  private static final long PAUSE_MILLIS = 200;
  private static final int UNAVAILABLE = 503;

  private final Consumer<String> notices;
  private boolean met;
  private boolean broken;
  private long brokenSince;

  /**
   * @param notices takes a line where something is tried again
   */
  Retries(Consumer<String> notices) {
    this.notices = notices;
  }

  /** One attempt. */
  interface Attempt<T> {
    T make() throws IOException;
  }

  /**
   * What came of it.
   *
   * @param repeated whether an earlier attempt may have done already what was asked
   */
  record Outcome<T>(T answer, boolean repeated) {}

  /**
   * Makes attempts until one is answered.
   *
   * @param status of HTTP
   */
  <T> Outcome<T> call(HttpRequest request, Attempt<T> attempt, ToIntFunction<T> status)
      throws IOException {
    boolean repeated = false;
    while (true) {
      try {
        T answer = attempt.make();
        if (status.applyAsInt(answer) != UNAVAILABLE || !isWorthAnother()) {
          answered();
          return new Outcome<>(answer, repeated);
        }
      } catch (IOException e) {
        expectRetriable(request, e);
        repeated |= !(e instanceof NotConnectedException);
      }
      pause();
    }
  }

  private synchronized boolean isWorthAnother() {
    return broken && System.nanoTime() - brokenSince < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  }

  private synchronized void answered() {
    met = true;
    broken = false;
  }

  /** Returns where another attempt makes sense. */
  private synchronized void expectRetriable(HttpRequest request, IOException e) throws IOException {
    boolean sent = !(e instanceof NotConnectedException);
    if (e instanceof LateAnswerException || e instanceof NotHttpException || (!sent && !met)) {
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

  /** There is no event that tells of a fleetd that begins anew. */
  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
