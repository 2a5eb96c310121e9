package fleet.scheduler;

import java.util.Optional;

/** {@code MaxPerMachine=}: no more instances of a template than that on one machine. */
final class MaxPerMachineFilter implements Filter {

  static final String RULE = "MaxPerMachine";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    int most = demand.requirements().maxPerMachine();
    if (most == 0 || machine.siblings(demand.unit()) < most) {
      return Optional.empty();
    }
    String template = Families.template(demand.unit());
    return Optional.of(
        new Rejection(
            RULE, "has", "have", most + " of " + template + ", which is as many as may be"));
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "an instance of its template leaves machine " + machine.id();
  }
}
