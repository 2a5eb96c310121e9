package fleet.scheduler.example;

import fleet.scheduler.Demand;
import fleet.scheduler.Filter;
import fleet.scheduler.MachineInfo;
import fleet.scheduler.Rejection;
import java.util.Optional;

/** New units, named canary-…, do not go to machines of the tier that must not fail. */
public final class CanaryFilter implements Filter {

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    boolean canary = demand.unit().value().startsWith("canary-");
    boolean gold = "gold".equals(machine.machine().metadata().get("tier"));
    return canary && gold
        ? Optional.of(new Rejection("Canary", "is", "are", "of tier gold, which takes no canary"))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine " + machine.id() + " is of another tier";
  }
}
