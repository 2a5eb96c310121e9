package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import java.util.Optional;

/** {@code MachineID=}: the machine of this id, or of an id that begins with these eight digits. */
final class MachineIdFilter implements Filter {

  private static final int SHORT_ID = 8;

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    return judge(demand.requirements(), machine.machine());
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "a machine of the id " + verdict.subject() + " comes";
  }

  @Override
  public boolean binds() {
    return true;
  }

  static Optional<Verdict> judge(Requirements requirements, Machine machine) {
    return requirements
        .machineId()
        .filter(required -> !names(required, machine.id()))
        .map(required -> new Verdict("MachineID", "is not", "are not", required));
  }

  private static boolean names(String required, String id) {
    return id.equals(required) || (required.length() == SHORT_ID && id.startsWith(required));
  }
}
