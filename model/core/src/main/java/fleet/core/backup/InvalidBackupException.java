package fleet.core.backup;

/** A text is not a whole backup; the message goes on after its name and a colon. */
public final class InvalidBackupException extends Exception {

  public InvalidBackupException(String message) {
    super(message);
  }

  public InvalidBackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
