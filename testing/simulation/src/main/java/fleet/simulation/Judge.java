package fleet.simulation;

import fleet.simulation.run.Simulation;

/** Ends a run whose world breaks a rule, whoever catches the exception. */
final class Judge {

  private final Simulation simulation;

  Judge(Simulation simulation) {
    this.simulation = simulation;
  }

  Simulation simulation() {
    return simulation;
  }

  /** A rule is broken; gives what to throw. */
  Violation violated(Rule rule, String message) {
    var violation = new Violation(rule, message);
    simulation.fault(violation);
    return violation;
  }
}
