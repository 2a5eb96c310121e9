package fleet.trust;

/**
 * A machine is not let in, and will not be however often it asks: somebody has to give it something
 * else. The message says what.
 */
public final class EnrolmentRefusedException extends TrustException {
  public EnrolmentRefusedException(String message) {
    super(message);
  }

  public EnrolmentRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
