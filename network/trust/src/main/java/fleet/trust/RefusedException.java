package fleet.trust;

/**
 * A machine is not let in, and will not be however often it asks: somebody has to give it something
 * else. The message says what.
 */
public final class RefusedException extends TrustException {
  public RefusedException(String message) {
    super(message);
  }

  public RefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
