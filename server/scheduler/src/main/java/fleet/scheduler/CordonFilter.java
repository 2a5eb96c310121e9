package fleet.scheduler;

import java.util.Optional;

/** No unit comes to a cordoned machine. Units that are there stay. */
final class CordonFilter implements Filter {

  static final String RULE = "Cordon";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return machine.isCordoned()
        ? Optional.of(new Rejection(RULE, "is", "are", "cordoned"))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine " + machine.id() + " is uncordoned";
  }

  @Override
  public boolean admits(Demand demand, MachineInfo machine) {
    return !machine.isCordoned();
  }
}
