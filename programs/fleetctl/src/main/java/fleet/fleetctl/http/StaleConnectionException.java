package fleet.fleetctl.http;

import java.io.IOException;

/** The other side closed the connection before any part of an answer. */
final class StaleConnectionException extends IOException {
  StaleConnectionException() {
    super("the connection was closed without an answer");
  }

  StaleConnectionException(IOException cause) {
    super("the connection was closed without an answer", cause);
  }
}
