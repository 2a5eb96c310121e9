package fleet.fleetctl.http;

import java.io.IOException;

/** No connection could be made, and so nothing was sent. */
public final class NotConnectedException extends IOException {
  public NotConnectedException(String message) {
    super(message);
  }

  public NotConnectedException(String message, Throwable cause) {
    super(message, cause);
  }
}
