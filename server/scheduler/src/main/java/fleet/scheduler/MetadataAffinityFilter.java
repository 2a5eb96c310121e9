package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Affinity;
import fleet.core.requirements.Requirements;
import java.util.Optional;

/** {@code Affinity=} to the metadata of machines, as long as it is not a soft one. */
final class MetadataAffinityFilter implements Filter {

  static final String RULE = "Affinity";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return judge(demand.requirements(), machine.machine());
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine " + machine.id() + " gets metadata with " + rejection.subject();
  }

  @Override
  public boolean binds() {
    return true;
  }

  static Optional<Rejection> judge(Requirements requirements, Machine machine) {
    for (Affinity affinity : requirements.hardAffinities()) {
      if (!affinity.isAboutUnits() && !affinity.holds(machine.metadata())) {
        return Optional.of(lacks(affinity));
      }
    }
    return Optional.empty();
  }

  static Rejection lacks(Affinity affinity) {
    return new Rejection(RULE, "lacks", "lack", affinity.text());
  }
}
