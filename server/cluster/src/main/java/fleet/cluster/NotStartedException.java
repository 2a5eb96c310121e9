package fleet.cluster;

/**
 * This fleetd still waits for something it needs to begin, and continues by itself: nothing was
 * done, and the request can be repeated. The message says what it waits for.
 */
public final class NotStartedException extends ClusterUnavailableException {
  public NotStartedException(String message) {
    super(message);
  }
}
