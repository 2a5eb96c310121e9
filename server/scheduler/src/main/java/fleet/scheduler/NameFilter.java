package fleet.scheduler;

import java.util.Optional;

/** The unit's name is free on the machine: systemd there does not know it from elsewhere. */
final class NameFilter implements Filter {

  static final String RULE = "Name";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return machine
        .refusal(demand.unit())
        .map(why -> new Rejection(RULE, "refuses the name:", "refuse the name:", why));
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "the name becomes free on machine " + machine.id() + ": " + rejection.subject();
  }

  @Override
  public boolean binds() {
    return true;
  }
}
