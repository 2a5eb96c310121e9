package fleet.cluster;

/** A person may not log in, or not stay logged in; the message is for people. */
public final class LoginRefusedException extends RuntimeException {
  public LoginRefusedException(String message) {
    super(message);
  }
}
