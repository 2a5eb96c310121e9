package fleet.fleetctl.client;

/** A word means no machine, or several; the message names those that it may mean. */
public final class UnknownMachineException extends FleetException {
  UnknownMachineException(String message) {
    super(message);
  }
}
