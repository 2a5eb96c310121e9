package fleet.scheduler;

import fleet.core.requirements.ClaimedPort;
import java.util.List;
import java.util.Optional;

/** {@code Ports=}, and what sockets listen on: no two units on a machine claim one port. */
final class PortsFilter implements Filter {

  static final String RULE = "Ports";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    List<ClaimedPort> wanted = demand.requirements().ports();
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    for (Demand other : machine.listening()) {
      Optional<Rejection> rejection = judge(demand, wanted, other);
      if (rejection.isPresent()) {
        return rejection;
      }
    }
    for (Demand global : machine.applicableGlobals()) {
      Optional<Rejection> rejection = judge(demand, wanted, global);
      if (rejection.isPresent()) {
        return rejection;
      }
    }
    return Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "the unit on machine "
        + machine.id()
        + " that has the port leaves: "
        + rejection.subject();
  }

  private static Optional<Rejection> judge(Demand demand, List<ClaimedPort> wanted, Demand other) {
    if (other.unit().equals(demand.unit())) {
      return Optional.empty();
    }
    for (ClaimedPort taken : other.requirements().ports()) {
      for (ClaimedPort port : wanted) {
        if (port.meets(taken)) {
          return Optional.of(
              new Rejection(RULE, "has port", "have port", port + " taken by " + other.unit()));
        }
      }
    }
    return Optional.empty();
  }
}
