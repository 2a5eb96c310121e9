package fleet.fleetctl.table;

/** A format, a selector or an order that cannot be read; the message says why. */
public final class InvalidExpressionException extends Exception {
  InvalidExpressionException(String message) {
    super(message);
  }
}
