package fleet.cluster;

/**
 * Thrown by a {@link Cluster} that only the leading engine serves, if another engine leads: nothing
 * was done, and the leader can be asked.
 */
public class NotLeadingException extends RuntimeException {
  public NotLeadingException(String message) {
    super(message);
  }
}
