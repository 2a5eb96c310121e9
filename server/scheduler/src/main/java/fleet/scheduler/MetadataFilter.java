package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code MachineMetadata=}: for every key that is asked for, one of the values. */
final class MetadataFilter implements Filter {

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return judge(demand.requirements(), machine.machine());
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine " + machine.id() + " gets " + rejection.subject();
  }

  @Override
  public boolean admits(Demand demand, MachineInfo machine) {
    return isMet(demand.requirements(), machine.machine());
  }

  @Override
  public boolean binds() {
    return true;
  }

  static Optional<Rejection> judge(Requirements requirements, Machine machine) {
    // Called very often and mostly met, so it does little work.
    if (isMet(requirements, machine)) {
      return Optional.empty();
    }
    String lacking =
        requirements.metadata().entrySet().stream()
            .filter(asked -> !asked.getValue().contains(valueOf(machine, asked.getKey())))
            .map(asked -> asked.getKey() + "=" + String.join("|", asked.getValue()))
            .collect(Collectors.joining(" and "));
    return Optional.of(new Rejection("MachineMetadata", "lacks", "lack", lacking));
  }

  private static boolean isMet(Requirements requirements, Machine machine) {
    for (Map.Entry<String, Set<String>> asked : requirements.metadata().entrySet()) {
      if (!asked.getValue().contains(valueOf(machine, asked.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private static String valueOf(Machine machine, String key) {
    return machine.metadata().getOrDefault(key, "");
  }
}
