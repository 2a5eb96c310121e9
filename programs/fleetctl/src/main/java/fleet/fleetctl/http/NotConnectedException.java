package fleet.fleetctl.http;

import java.io.IOException;

/** No connection could be made, and so nothing was sent. */
public final class NotConnectedException extends IOException {
  NotConnectedException(String message, Throwable cause) {
    super(message, cause);
  }
}
