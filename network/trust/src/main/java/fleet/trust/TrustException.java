package fleet.trust;

import java.util.Objects;

/** Something cannot be trusted or certified; the message says what is wrong and what to do. */
public sealed class TrustException extends Exception permits EnrolmentRefusedException {
  public TrustException(String message) {
    super(message);
  }

  public TrustException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
