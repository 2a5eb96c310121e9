package fleet.cluster;

/**
 * This fleetd cannot start and is about to end, until somebody corrects what the message says:
 * nothing was done, and repeating the request does not help.
 */
public final class CannotStartException extends ClusterUnavailableException {
  public CannotStartException(String message) {
    super(message);
  }
}
