package fleet.simulation;

/** An invariant of the design does not hold. */
public final class Violation extends RuntimeException {

  private static final long serialVersionUID = 1;

  public Violation(int invariant, String message) {
    super("invariant " + invariant + ": " + message);
  }
}
