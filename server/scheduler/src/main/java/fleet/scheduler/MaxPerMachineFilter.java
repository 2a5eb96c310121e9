package fleet.scheduler;

import java.util.Optional;

/** {@code MaxPerMachine=}: no more instances of a template than that on one machine. */
final class MaxPerMachineFilter implements Filter {

  static final String RULE = "MaxPerMachine";

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    int most = demand.requirements().maxPerMachine();
    if (most == 0 || machine.siblings(demand.unit()) < most) {
      return Optional.empty();
    }
    String template = Families.template(demand.unit());
    return Optional.of(
        new Verdict(
            RULE, "has", "have", most + " of " + template + ", which is as many as may be"));
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "one of its family leaves machine " + machine.id();
  }
}
