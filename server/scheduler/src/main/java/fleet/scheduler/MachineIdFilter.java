package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import java.util.Optional;

/** {@code MachineID=}: the machine of this id, or of an id that begins with these eight digits. */
final class MachineIdFilter implements Filter {

  private static final int SHORT_ID = 8;

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return judge(demand.requirements(), machine.machine());
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "a machine of the id " + rejection.subject() + " comes";
  }

  @Override
  public boolean binds() {
    return true;
  }

  static Optional<Rejection> judge(Requirements requirements, Machine machine) {
    return requirements
        .machineId()
        .filter(required -> !names(required, machine.id()))
        .map(required -> new Rejection("MachineID", "is not", "are not", required));
  }

  private static boolean names(String required, String id) {
    return id.equals(required) || (required.length() == SHORT_ID && id.startsWith(required));
  }
}
