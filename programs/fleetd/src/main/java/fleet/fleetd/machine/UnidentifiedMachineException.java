package fleet.fleetd.machine;

/** The identity of a machine cannot be found out. The message says where, and what to do. */
public final class UnidentifiedMachineException extends Exception {
  UnidentifiedMachineException(String message) {
    super(message);
  }

  UnidentifiedMachineException(String message, Throwable cause) {
    super(message, cause);
  }
}
