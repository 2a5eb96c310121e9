package fleet.fleetd;

import org.jspecify.annotations.Nullable;

/**
 * A fault with which fleetd cannot start or go on. The message is one line: what, where, what to
 * do.
 */
public final class FatalException extends Exception {
  private final boolean toCorrect;

  public FatalException(String message) {
    super(message);
    this.toCorrect = false;
  }

  public FatalException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private FatalException(String message, @Nullable Throwable cause, boolean toCorrect) {
    super(message, cause);
    this.toCorrect = toCorrect;
  }

  /** A fault that stays until somebody corrects it. */
  static FatalException toCorrect(String message, @Nullable Throwable cause) {
    return new FatalException(message, cause, true);
  }

  /** Whether a retry is useless. */
  boolean isToCorrect() {
    return toCorrect;
  }
}
