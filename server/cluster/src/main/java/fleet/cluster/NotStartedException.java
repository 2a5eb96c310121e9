package fleet.cluster;

/**
 * This fleetd still waits for what it needs to begin, and goes on by itself: nothing was done, and
 * whoever asks again gets an answer once it has begun. The message says what it waits for.
 */
public final class NotStartedException extends ClusterUnavailableException {
  private static final long serialVersionUID = 1;

  public NotStartedException(String message) {
    super(message);
  }
}
