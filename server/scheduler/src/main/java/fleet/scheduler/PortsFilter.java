package fleet.scheduler;

import fleet.core.requirements.ClaimedPort;
import java.util.List;
import java.util.Optional;

/** {@code Ports=}, and what sockets listen on: no two units on a machine claim one port. */
final class PortsFilter implements Filter {

  static final String RULE = "Ports";

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    List<ClaimedPort> wanted = demand.requirements().ports();
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    for (Demand other : machine.listening()) {
      Optional<Verdict> verdict = judge(demand, wanted, other);
      if (verdict.isPresent()) {
        return verdict;
      }
    }
    for (Demand global : machine.applicableGlobals()) {
      Optional<Verdict> verdict = judge(demand, wanted, global);
      if (verdict.isPresent()) {
        return verdict;
      }
    }
    return Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "the unit on machine "
        + machine.id()
        + " that has the port leaves: "
        + verdict.subject();
  }

  private static Optional<Verdict> judge(Demand demand, List<ClaimedPort> wanted, Demand other) {
    if (other.unit().equals(demand.unit())) {
      return Optional.empty();
    }
    for (ClaimedPort taken : other.requirements().ports()) {
      for (ClaimedPort port : wanted) {
        if (port.meets(taken)) {
          return Optional.of(
              new Verdict(RULE, "has port", "have port", port + " taken by " + other.unit()));
        }
      }
    }
    return Optional.empty();
  }
}
