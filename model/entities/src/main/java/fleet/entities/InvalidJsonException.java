package fleet.entities;

/** Text that is not JSON, or not of the shape that was expected; one line says why. */
public final class InvalidJsonException extends Exception {

  InvalidJsonException(String message) {
    super(message);
  }

  InvalidJsonException(Throwable cause) {
    super(oneLine(cause), cause);
  }

  private static String oneLine(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? "invalid JSON" : message.lines().findFirst().orElse("invalid JSON");
  }
}
