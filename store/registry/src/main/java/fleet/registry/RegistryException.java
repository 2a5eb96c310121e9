package fleet.registry;

import java.util.Objects;

/** The registry cannot do what it was asked; the message says what is wrong and what to do. */
public class RegistryException extends RuntimeException {
  public RegistryException(String message) {
    super(message);
  }

  public RegistryException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
