package fleet.daemon.machine;

/** What a machine is known by cannot be found out. The message says where, and what to do. */
public final class UnidentifiedMachineException extends Exception {
  UnidentifiedMachineException(String message) {
    super(message);
  }

  UnidentifiedMachineException(String message, Throwable cause) {
    super(message, cause);
  }
}
