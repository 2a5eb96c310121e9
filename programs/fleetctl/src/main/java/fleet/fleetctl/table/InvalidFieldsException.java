package fleet.fleetctl.table;

/** Fields that a listing does not have; the message says which. */
public final class InvalidFieldsException extends Exception {
  InvalidFieldsException(String message) {
    super(message);
  }
}
