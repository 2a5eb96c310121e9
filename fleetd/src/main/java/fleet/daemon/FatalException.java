package fleet.daemon;

/** What fleetd cannot start or go on with. The message is one line: what, where, what to do. */
public final class FatalException extends Exception {
  public FatalException(String message) {
    super(message);
  }

  public FatalException(String message, Throwable cause) {
    super(message, cause);
  }
}
