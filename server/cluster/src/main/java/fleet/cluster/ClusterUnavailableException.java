package fleet.cluster;

/** The cluster cannot answer now; the message says why. */
public class ClusterUnavailableException extends RuntimeException {
  public ClusterUnavailableException(String message) {
    super(message);
  }

  public ClusterUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
