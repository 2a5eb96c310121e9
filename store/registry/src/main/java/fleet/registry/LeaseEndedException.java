package fleet.registry;

/** Nothing was written, since a {@link Lease} that a put was to end with has ended itself. */
public final class LeaseEndedException extends RegistryException {
  public LeaseEndedException(String message, Throwable cause) {
    super(message, cause);
  }
}
