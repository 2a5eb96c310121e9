package fleet.simulation;

import fleet.simulation.run.Simulation;

/** An invariant of the design does not hold. */
public final class Violation extends Simulation.Found {

  private static final long serialVersionUID = 1;

  private final transient Rule rule;

  public Violation(Rule rule, String message) {
    super(rule.text() + ": " + message);
    this.rule = rule;
  }

  public Rule rule() {
    return rule;
  }
}
