package fleet.fleetctl.http;

/** An address of fleetd that cannot be used; the message says why. */
public final class InvalidEndpointException extends Exception {
  public InvalidEndpointException(String message) {
    super(message);
  }

  public InvalidEndpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
