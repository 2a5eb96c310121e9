package fleet.trust;

/**
 * A machine is refused, and a retry does not help: an operator has to act. The message says how.
 */
public final class EnrolmentRefusedException extends TrustException {
  public EnrolmentRefusedException(String message) {
    super(message);
  }

  public EnrolmentRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
