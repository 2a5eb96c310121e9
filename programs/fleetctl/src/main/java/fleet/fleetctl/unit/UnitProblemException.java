package fleet.fleetctl.unit;

/** A unit that cannot be created as it stands; the message says what, where and what to do. */
public final class UnitProblemException extends Exception {
  public UnitProblemException(String message) {
    super(message);
  }

  public UnitProblemException(String message, Throwable cause) {
    super(message, cause);
  }
}
