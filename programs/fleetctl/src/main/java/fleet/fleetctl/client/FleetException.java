package fleet.fleetctl.client;

/** A request to fleetd that did not work, or cannot; the message is one line for the user. */
public abstract sealed class FleetException extends Exception
    permits ApiException, UnknownMachineException, UnreachableException {
  FleetException(String message) {
    super(message);
  }

  FleetException(String message, Throwable cause) {
    super(message, cause);
  }
}
