package fleet.fleetctl.http;

import java.io.IOException;

/** Something answers that does not speak HTTP as fleetd does. */
public final class NotHttpException extends IOException {
  NotHttpException(String details) {
    super("the answer is not HTTP" + details);
  }

  NotHttpException(String details, Throwable cause) {
    super("the answer is not HTTP" + details, cause);
  }
}
