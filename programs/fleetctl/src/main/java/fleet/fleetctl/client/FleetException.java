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

  /** Whether another attempt may succeed soon: fleetd is not there, or nobody leads. */
  public boolean mayPass() {
    return this instanceof UnreachableException
        || (this instanceof ApiException answer && answer.isUnavailable());
  }
}
