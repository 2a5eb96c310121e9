package fleet.api.listen;

/** A socket that cannot be opened; the message says which, why, and what to do. */
public final class ListenException extends Exception {
  public ListenException(String message) {
    super(message);
  }

  public ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
