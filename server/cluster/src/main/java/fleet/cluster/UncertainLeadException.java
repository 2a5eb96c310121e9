package fleet.cluster;

/**
 * Thrown by a {@link Cluster} that only the leading engine serves, if this engine led when it last
 * reached the store, but too long ago: another one may lead by now. Nothing was done; the leader
 * can be asked, or this one again.
 */
public final class UncertainLeadException extends NotLeadingException {
  public UncertainLeadException(String message) {
    super(message);
  }
}
