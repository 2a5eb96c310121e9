package fleet.core.unit;

/** A unit name that breaks a rule; the message says which. */
public final class InvalidUnitNameException extends IllegalArgumentException {
  public InvalidUnitNameException(String message) {
    super(message);
  }
}
