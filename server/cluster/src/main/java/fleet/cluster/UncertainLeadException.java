package fleet.cluster;

/**
 * Thrown by a {@link Cluster} that only the leading engine serves, if that was this one the last
 * time that it reached the store, which is too long ago: another may lead by now, and have done
 * what this one does not know of. Nothing was done; whoever leads can be asked, or this one again.
 */
public final class UncertainLeadException extends NotLeadingException {
  private static final long serialVersionUID = 1;

  public UncertainLeadException(String message) {
    super(message);
  }
}
