package fleet.scheduler;

import fleet.core.requirements.Affinity;
import fleet.core.requirements.TextPattern;
import java.util.Optional;

/**
 * {@code Affinity=} to units, as long as it is not a soft one. Units that want to be apart are kept
 * apart in either order of their placement. Decides where a unit comes, and does not move it later.
 */
final class UnitAffinityFilter implements Filter {

  static final String RULE = "UnitAffinity";

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    for (Affinity affinity : demand.requirements().hardAffinities()) {
      Optional<Rejection> rejection = judge(demand, affinity, machine);
      if (rejection.isPresent()) {
        return rejection;
      }
    }
    for (Demand other : machine.choosy()) {
      if (keepsAway(other, demand)) {
        return Optional.of(apart(other));
      }
    }
    if (machine.hasGlobalCandidates()) {
      for (Demand global : machine.applicableGlobals()) {
        if (keepsAway(demand, global)) {
          return Optional.of(apart(global));
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine %s %s %s no more"
        .formatted(machine.id(), rejection.ofOne(), rejection.subject());
  }

  @Override
  public boolean admits(Demand demand, MachineInfo machine) {
    return (demand.requirements().affinities().isEmpty() && machine.choosy().isEmpty())
        || check(demand, machine).isEmpty();
  }

  /** Why a machine is not what one affinity to units asks for. */
  static Optional<Rejection> judge(Demand demand, Affinity affinity, MachineInfo machine) {
    if (!affinity.isAboutUnits()) {
      return Optional.empty();
    }
    Optional<Demand> found = Optional.empty();
    for (TextPattern names : affinity.values()) {
      if (found.isEmpty()) {
        found = there(demand, affinity, names, machine);
      }
    }
    if (affinity.attracts()) {
      return found.isPresent()
          ? Optional.empty()
          : Optional.of(new Rejection(RULE, "is without", "are without", affinity.text()));
    }
    return found.map(UnitAffinityFilter::apart);
  }

  /** A unit that is leaving attracts nobody, and keeps others away until it has gone. */
  private static Optional<Demand> there(
      Demand demand, Affinity affinity, TextPattern names, MachineInfo machine) {
    Optional<Demand> placed = machine.first(names, demand.unit());
    if (placed.isPresent() && affinity.attracts() && machine.isLeaving(placed.get().unit())) {
      placed =
          machine.staying().stream()
              .filter(other -> !other.unit().equals(demand.unit()))
              .filter(other -> names.matches(other.unit().value()))
              .findFirst();
    }
    if (placed.isPresent() || !machine.hasGlobalCandidates()) {
      return placed;
    }
    return machine.applicableGlobals().stream()
        .filter(global -> names.matches(global.unit().value()))
        .findFirst();
  }

  private static boolean keepsAway(Demand one, Demand other) {
    for (Affinity affinity : one.requirements().hardAffinities()) {
      if (affinity.isAboutUnits() && !affinity.attracts() && affinity.names(other.unit().value())) {
        return !one.unit().equals(other.unit());
      }
    }
    return false;
  }

  private static Rejection apart(Demand other) {
    return new Rejection(
        RULE, "has", "have", other.unit().value() + ", which must not share a machine with it");
  }
}
