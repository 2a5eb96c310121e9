package fleet.fleetctl.client;

/** fleetd could not be reached, or the connection broke. */
public final class UnreachableException extends FleetException {
  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
