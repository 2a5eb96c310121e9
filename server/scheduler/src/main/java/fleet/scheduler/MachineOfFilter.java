package fleet.scheduler;

import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code MachineOf=}: each of these units is on the machine, and is to stay there. A unit is where
 * it is itself, so that all instances of a template can follow one of them.
 */
final class MachineOfFilter implements Filter {

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    if (demand.requirements().machineOf().isEmpty()) {
      return Optional.empty();
    }
    String missing =
        demand.requirements().machineOf().stream()
            .filter(peer -> !peer.equals(demand.unit().value()) && !machine.runs(peer))
            .collect(Collectors.joining(" and "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(new Rejection("MachineOf", "is without", "are without", missing));
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return rejection.subject() + " comes to machine " + machine.id();
  }

  @Override
  public boolean binds() {
    return true;
  }
}
