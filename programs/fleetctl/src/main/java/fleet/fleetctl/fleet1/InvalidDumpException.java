package fleet.fleetctl.fleet1;

/** A text is no dump of fleet 1.0's keys; the message says what it is instead. */
public final class InvalidDumpException extends Exception {
  InvalidDumpException(String message) {
    super(message);
  }
}
