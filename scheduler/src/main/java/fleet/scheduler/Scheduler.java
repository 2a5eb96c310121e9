package fleet.scheduler;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses machines for units that are not global: of those that pass all filters the one that the
 * strategy likes best, and of equals the first by id. The same picture gives the same choice.
 *
 * <p>Immutable; it never changes a picture.
 */
public final class Scheduler {

  private final List<Filter> filters;
  private final Strategy strategy;

  /** With the rules of fleet's unit files, and the least loaded machine before others. */
  public Scheduler() {
    this(
        List.of(
            new MachineIdFilter(),
            new MetadataFilter(),
            new MachineOfFilter(),
            new ConflictsFilter(),
            new ReplacesFilter(),
            new NameFilter()),
        new LeastLoaded());
  }

  /**
   * With rules of one's own.
   *
   * @param filters in the order in which a machine is judged, and explained
   */
  public Scheduler(List<Filter> filters, Strategy strategy) {
    this.filters = List.copyOf(filters);
    this.strategy = strategy;
  }

  /** Where a unit goes that is to be placed now. */
  public Decision choose(UnitName unit, Requirements requirements, Picture picture) {
    Demand demand = new Demand(unit, requirements);
    MachineView best = best(demand, picture.candidates(requirements));
    if (best == null) {
      return explain(demand, picture.machines());
    }
    return new Decision.Placed(
        best.id(),
        strategy.reason(demand, best),
        Collections.unmodifiableSet(ReplacesFilter.displacedBy(demand, best)));
  }

  /**
   * Why a placed unit may not stay where it is: its machine went, or does not meet its requirements
   * any more. Empty where it may, and for a unit that is not placed.
   *
   * <p>Where two units are in each other's way, both are objected to, until the first of them has
   * been told to {@linkplain Picture#leave leave}: so decide one by one.
   */
  public Optional<String> objection(UnitName unit, Picture picture) {
    MachineView machine = picture.viewOf(unit);
    Demand demand = machine == null ? null : machine.demand(unit);
    if (machine == null || demand == null) {
      return Optional.empty();
    }
    String who = "machine " + machine.id();
    if (!machine.isPresent()) {
      return Optional.of(who + " went away");
    }
    return verdict(demand, machine).map(verdict -> who + " " + verdict.text());
  }

  private @Nullable MachineView best(Demand demand, Iterable<MachineView> machines) {
    MachineView best = null;
    long bestScore = Long.MAX_VALUE;
    for (MachineView machine : machines) {
      // Scoring is cheap and judging is not, so only a machine that would win is judged.
      long score = strategy.score(demand, machine);
      boolean wouldWin =
          best == null || score < bestScore || isFirst(score, machine, bestScore, best);
      if (wouldWin && verdict(demand, machine).isEmpty()) {
        best = machine;
        bestScore = score;
        if (strategy.isByLoadAlone()) {
          return best;
        }
      }
    }
    return best;
  }

  private static boolean isFirst(
      long score, MachineView machine, long bestScore, MachineView best) {
    return score == bestScore && machine.id().compareTo(best.id()) < 0;
  }

  private Optional<Verdict> verdict(Demand demand, MachineView machine) {
    for (Filter filter : filters) {
      Optional<Verdict> verdict = filter.check(demand, machine);
      if (verdict.isPresent()) {
        return verdict;
      }
    }
    return Optional.empty();
  }

  private Decision explain(Demand demand, Collection<MachineView> machines) {
    List<Obstacle> obstacles = new ArrayList<>();
    List<MachineView> remaining = new ArrayList<>(machines);
    for (Filter filter : filters) {
      Map<String, Verdict> verdicts = new TreeMap<>();
      for (MachineView machine : remaining) {
        filter.check(demand, machine).ifPresent(verdict -> verdicts.put(machine.id(), verdict));
      }
      if (!verdicts.isEmpty()) {
        String rule = verdicts.values().iterator().next().rule();
        obstacles.add(new Obstacle(rule, Collections.unmodifiableMap(verdicts)));
        remaining.removeIf(machine -> verdicts.containsKey(machine.id()));
      }
    }
    return new Decision.Unplaceable(machines.size(), obstacles);
  }
}
