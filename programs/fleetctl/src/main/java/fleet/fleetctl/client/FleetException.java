package fleet.fleetctl.client;

/** A request to fleetd that did not work; the message is one line for the user. */
public abstract sealed class FleetException extends Exception
    permits ApiException, UnreachableException {
  FleetException(String message) {
    super(message);
  }

  FleetException(String message, Throwable cause) {
    super(message, cause);
  }
}
