package fleet.scheduler;

import fleet.core.unit.UnitName;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code Replaces=}: a unit may come to the machines of the units that it replaces, and those have
 * to leave; they may not come to its machine. Between two units that name each other the rule does
 * not apply.
 */
final class ReplacesFilter implements Filter {

  static final String RULE = "Replaces";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    for (Demand other : machine.replacing()) {
      if (other.replaces(demand) && !machine.isLeaving(other.unit())) {
        return Optional.of(
            new Rejection(
                RULE, "has its replacement", "have its replacement", other.unit().value()));
      }
    }
    return Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return rejection.subject() + " leaves machine " + machine.id();
  }

  @Override
  public boolean binds() {
    return true;
  }

  /** The units that have to leave a machine that this one comes to. */
  static Set<UnitName> displacedBy(Demand demand, MachineInfo machine) {
    if (demand.requirements().replaces().isEmpty()) {
      return Set.of();
    }
    Set<UnitName> displaced = new TreeSet<>();
    for (Demand other : machine.units()) {
      if (demand.replaces(other) && !machine.isLeaving(other.unit())) {
        displaced.add(other.unit());
      }
    }
    return displaced;
  }
}
