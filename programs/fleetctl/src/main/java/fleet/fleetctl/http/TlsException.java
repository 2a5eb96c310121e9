package fleet.fleetctl.http;

import java.io.IOException;

/** The two sides of a TLS connection do not agree; another attempt would fail in the same way. */
public final class TlsException extends IOException {
  TlsException(String message, Throwable cause) {
    super(message, cause);
  }
}
