package fleet.scheduler.example;

import fleet.scheduler.Demand;
import fleet.scheduler.Filter;
import fleet.scheduler.MachineView;
import fleet.scheduler.Verdict;
import java.util.Optional;

/** New units, named canary-…, do not go to machines of the tier that must not fail. */
public final class CanaryFilter implements Filter {

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    boolean canary = demand.unit().value().startsWith("canary-");
    boolean gold = "gold".equals(machine.machine().metadata().get("tier"));
    return canary && gold
        ? Optional.of(new Verdict("Canary", "is", "are", "of tier gold, which takes no canary"))
        : Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "machine " + machine.id() + " is of another tier";
  }
}
