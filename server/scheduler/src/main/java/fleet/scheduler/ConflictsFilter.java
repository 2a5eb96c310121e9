package fleet.scheduler;

import fleet.core.requirements.Glob;
import java.util.Collection;
import java.util.Optional;

/**
 * {@code Conflicts=}: nothing on the machine, global units included, that wants to be apart from
 * the unit, or that the unit wants to be apart from.
 *
 * <p>A new unit has to wait for conflicting units that are still leaving; one that is there already
 * does not.
 */
final class ConflictsFilter implements Filter {

  static final String RULE = "Conflicts";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    boolean there = machine.holds(demand.unit());
    for (Demand other : machine.units()) {
      if (demand.conflictsWith(other) && !(there && machine.isLeaving(other.unit()))) {
        return Optional.of(conflictWith(other));
      }
    }
    return judge(demand, machine.applicableGlobals());
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return rejection.subject() + " leaves machine " + machine.id();
  }

  @Override
  public boolean admits(Demand demand, MachineInfo machine) {
    return !mayConflict(demand, machine) || check(demand, machine).isEmpty();
  }

  @Override
  public boolean binds() {
    return true;
  }

  private static boolean mayConflict(Demand demand, MachineInfo machine) {
    if (machine.hasGlobalCandidates()) {
      return true;
    }
    for (Glob names : demand.requirements().conflicts()) {
      if (machine.hasAny(names, demand.unit())) {
        return true;
      }
    }
    for (Demand other : machine.choosy()) {
      if (!other.unit().equals(demand.unit())
          && other.requirements().conflictsWith(demand.unit())) {
        return true;
      }
    }
    return false;
  }

  /** The first conflict with any of the others. */
  static Optional<Rejection> judge(Demand demand, Collection<Demand> others) {
    for (Demand other : others) {
      if (demand.conflictsWith(other)) {
        return Optional.of(conflictWith(other));
      }
    }
    return Optional.empty();
  }

  private static Rejection conflictWith(Demand other) {
    return new Rejection(RULE, "conflicts with", "conflict with", other.unit().value());
  }
}
