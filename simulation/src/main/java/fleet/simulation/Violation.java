package fleet.simulation;

import fleet.simulation.run.Simulation;

/** An invariant of the design does not hold. */
public final class Violation extends Simulation.Found {

  private static final long serialVersionUID = 1;

  public Violation(int invariant, String message) {
    super("invariant " + invariant + ": " + message);
  }
}
