package fleet.fleetctl.client;

/**
 * Exponential backoff up to a second, since no event tells that a fleetd is back. For one thread.
 */
public final class Backoff {

  private static final long FIRST_MILLIS = 100;
  private static final long LAST_MILLIS = 1000;

  private long millis = FIRST_MILLIS;

  /** Begins with short pauses again after a successful attempt. */
  public void reset() {
    millis = FIRST_MILLIS;
  }

  /** Waits; false if the thread was interrupted, which it stays. */
  public boolean pause() {
    try {
      Thread.sleep(millis);
      millis = Math.min(LAST_MILLIS, millis * 2);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
