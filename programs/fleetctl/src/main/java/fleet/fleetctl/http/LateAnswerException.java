package fleet.fleetctl.http;

import java.io.IOException;

/** No answer came within the time that one may take. */
public final class LateAnswerException extends IOException {
  LateAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}
