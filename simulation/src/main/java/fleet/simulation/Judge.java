package fleet.simulation;

import fleet.simulation.run.Simulation;
import java.util.Set;

/** Ends a run whose world breaks a rule, whoever catches the exception. */
final class Judge {

  private final Simulation simulation;
  private final Set<KnownFault> tolerated;

  /**
   * @param tolerated what fails no run
   */
  Judge(Simulation simulation, Set<KnownFault> tolerated) {
    this.simulation = simulation;
    this.tolerated = tolerated;
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

  /** A rule is broken as this fault breaks it. */
  void violated(Rule rule, KnownFault by, String message) {
    if (tolerates(by)) {
      simulation.remark("known fault %s: %s".formatted(by, message));
    } else {
      throw violated(rule, message);
    }
  }

  boolean tolerates(KnownFault fault) {
    return tolerated.contains(fault);
  }
}
