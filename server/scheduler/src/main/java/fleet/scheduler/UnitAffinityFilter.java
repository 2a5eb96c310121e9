package fleet.scheduler;

import fleet.core.requirements.Affinity;
import fleet.core.requirements.TextPattern;
import java.util.Optional;

/**
 * {@code Affinity=} to units, as long as it is not a soft one. What wants to be apart is kept apart
 * whichever of the two comes first. Decides where a unit comes, and does not move it later.
 */
final class UnitAffinityFilter implements Filter {

  static final String RULE = "UnitAffinity";

  @Override
  public Optional<Verdict> check(Demand demand, MachineView machine) {
    for (Affinity affinity : demand.requirements().hardAffinities()) {
      Optional<Verdict> verdict = judge(demand, affinity, machine);
      if (verdict.isPresent()) {
        return verdict;
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
  public String remedy(Demand demand, MachineView machine, Verdict verdict) {
    return "machine %s %s %s no more".formatted(machine.id(), verdict.ofOne(), verdict.subject());
  }

  @Override
  public boolean admits(Demand demand, MachineView machine) {
    return (demand.requirements().affinities().isEmpty() && machine.choosy().isEmpty())
        || check(demand, machine).isEmpty();
  }

  /** Why a machine is not what one affinity to units asks for. */
  static Optional<Verdict> judge(Demand demand, Affinity affinity, MachineView machine) {
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
          : Optional.of(new Verdict(RULE, "is without", "are without", affinity.text()));
    }
    return found.map(UnitAffinityFilter::apart);
  }

  /** A unit that is leaving attracts nobody, and keeps others away until it has gone. */
  private static Optional<Demand> there(
      Demand demand, Affinity affinity, TextPattern names, MachineView machine) {
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

  private static Verdict apart(Demand other) {
    return new Verdict(RULE, "has", "have", other.unit().value() + ", which is to be apart");
  }
}
