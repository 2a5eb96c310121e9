package fleet.cluster;

/** Somebody may not log in, or stay so; the message is for people. */
public final class LoginRefusedException extends RuntimeException {
  public LoginRefusedException(String message) {
    super(message);
  }
}
