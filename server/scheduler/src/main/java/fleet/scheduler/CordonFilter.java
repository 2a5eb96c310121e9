package fleet.scheduler;

import java.util.Optional;

/** Nothing comes to a machine that is cordoned. What is there stays. */
final class CordonFilter implements Filter {

  static final String RULE = "Cordon";

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    return machine.isCordoned()
        ? Optional.of(new Verdict(RULE, "is", "are", "cordoned"))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "machine " + machine.id() + " is uncordoned";
  }

  @Override
  public boolean admits(Demand demand, MachineView machine) {
    return !machine.isCordoned();
  }
}
