package fleet.api;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request that gets an error for its answer. */
final class RefusedException extends RuntimeException {

  private final int status;
  private final @Nullable String type;

  /**
   * @param status of HTTP
   * @param message for the error's body; may be empty
   */
  RefusedException(int status, String message) {
    this(status, message, null);
  }

  /**
   * @param type for programs; null if the status says enough
   */
  RefusedException(int status, String message, @Nullable String type) {
    super(message, null, false, false);
    this.status = status;
    this.type = type;
  }

  @Nullable String type() {
    return type;
  }

  int status() {
    return status;
  }

  String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  static RefusedException notFound() {
    return new RefusedException(404, "");
  }

  static RefusedException noSuchUnit() {
    return new RefusedException(404, "unit does not exist");
  }

  static RefusedException badRequest(String message) {
    return new RefusedException(400, message);
  }

  /** Refuses a request for which something cannot be made, with the message that says why. */
  static <T> T ifInvalid(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw badRequest(String.valueOf(e.getMessage()));
    }
  }
}
