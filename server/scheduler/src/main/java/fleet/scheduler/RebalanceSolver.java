package fleet.scheduler;

import fleet.core.collection.OrderedCopy;
import fleet.core.operation.Evenness;
import fleet.core.operation.Move;
import fleet.core.requirements.Affinity;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the moves of a rebalance: from the fullest machine to the emptiest that fits, as long as
 * the two are too far apart. If units may go anywhere, the number of moves is minimal.
 *
 * <p>No move breaks a rule, worsens a unit's affinities, or separates it from units that want to be
 * with it; and each unit moves at most once. The same layout gives the same moves. For one thread,
 * and for one use, as it changes the layout.
 */
public final class RebalanceSolver {

  /** By which the emptiest machine is found. */
  private static final Strategy EMPTIEST = new LeastLoaded();

  private final Scheduler scheduler;
  private final ClusterLayout layout;
  private final Predicate<UnitName> movable;
  private final List<Step> steps = new ArrayList<>();

  /** The evenness after each step. */
  private final List<Evenness> reached = new ArrayList<>();

  /** Units that have moved, or turned out to be unable to move. */
  private final Set<UnitName> settled = new HashSet<>();

  private final MachinesByLoad machines;

  /** Without those of which no unit may move. */
  private MachinesByLoad sources;

  /**
   * Prepares to look for moves.
   *
   * @param scheduler whose rules hold
   * @param layout that nobody else needs
   * @param movable whether a unit may move, apart from rules and affinities
   */
  public RebalanceSolver(Scheduler scheduler, ClusterLayout layout, Predicate<UnitName> movable) {
    this.scheduler = scheduler;
    this.layout = layout;
    this.movable = movable;
    this.machines = MachinesByLoad.of(layout);
    this.sources = MachinesByLoad.of(layout);
  }

  /**
   * One move, with the reason for it.
   *
   * @param leaves how many units the machine has that it comes from, itself among them
   * @param joins how many there are where it goes
   */
  public record Step(Move move, int leaves, int joins) {

    /** Such as "leaves 6 units for 1". */
    public String why() {
      return "leaves %d units for %d".formatted(leaves, joins);
    }
  }

  /** The moves found, with the evenness before and after them. */
  public record Result(Evenness before, Evenness after, List<Step> steps) {

    public Result {
      steps = List.copyOf(steps);
    }

    public List<Move> moves() {
      return steps.stream().map(Step::move).toList();
    }
  }

  /** Whether the default strategy gives machines about the same number of units. */
  public boolean isWanted() {
    return scheduler.strategy().isEven();
  }

  /** The name of the strategy of such units. */
  public String strategy() {
    return scheduler.strategy().name();
  }

  /** How evenly units are spread over the machines that are there and not cordoned. */
  public static Evenness evenness(ClusterLayout layout) {
    return MachinesByLoad.of(layout).evenness();
  }

  /**
   * Finds the moves.
   *
   * @param within how many units more than the emptiest machine the fullest may have, at least 1
   * @param budget how many units may move
   */
  public Result moves(int within, int budget) {
    Evenness before = machines.evenness();
    boolean again = true;
    while (again) {
      // A unit that has moved may have been in the way of one that was stuck.
      sources = MachinesByLoad.of(layout);
      again = evenOut(within);
    }
    int moves = Math.min(fewest(before), budget);
    Evenness after = moves == 0 ? before : reached.get(moves - 1);
    return new Result(before, after, steps.subList(0, moves));
  }

  /** Drops moves at the end that do not improve the evenness. */
  private int fewest(Evenness before) {
    int best = before.difference();
    int needed = 0;
    for (int i = 0; i < steps.size(); i++) {
      if (reached.get(i).difference() < best) {
        best = reached.get(i).difference();
        needed = i + 1;
      }
    }
    return needed;
  }

  /** Returns whether something has moved. */
  private boolean evenOut(int within) {
    int already = steps.size();
    Evenness now = machines.evenness();
    while (now.difference() > within && sources.evenness().most() - now.least() >= 2) {
      MachineInfo source = layout.machine(sources.fullest()).orElseThrow();
      Optional<Step> step = step(source, now);
      if (step.isEmpty()) {
        sources.remove(source.id());
      } else {
        carryOut(step.get());
      }
      now = machines.evenness();
    }
    return steps.size() > already;
  }

  // ---- which unit, and where to

  /** The unit that may go to the emptiest machine; the first by name of equals. */
  private Optional<Step> step(MachineInfo source, Evenness now) {
    Set<String> wanted = wantedHere(source);
    Step best = null;
    for (Demand demand : source.staying()) {
      if (best != null && best.joins() == now.least()) {
        break;
      }
      if (!wanted.contains(demand.unit().value()) && mayLeave(demand, source)) {
        best = better(best, step(demand, source, now));
      }
    }
    return Optional.ofNullable(best);
  }

  private static @Nullable Step better(@Nullable Step one, Optional<Step> other) {
    return other.isPresent() && (one == null || other.get().joins() < one.joins())
        ? other.get()
        : one;
  }

  private Optional<Step> step(Demand demand, MachineInfo source, Evenness now) {
    int leaves = source.load();
    return target(demand, source)
        .filter(target -> target.load() <= leaves - 2 && helps(source, target, now))
        .map(target ->
            new Step(new Move(demand.unit(), source.id(), target.id()), leaves, target.load()));
  }

  /** As long as another machine stays as full as this one was, only filling the emptiest helps. */
  private boolean helps(MachineInfo source, MachineInfo target, Evenness now) {
    boolean lowersTheMost =
        source.load() == now.most() && machines.count(now.most()) == sources.count(now.most());
    return lowersTheMost || target.load() == now.least();
  }

  private boolean mayLeave(Demand demand, MachineInfo source) {
    UnitName unit = demand.unit();
    return layout.viewOf(unit) == source
        && !settled.contains(unit)
        && scheduler.strategyOf(demand).isEven()
        && movable.test(unit);
  }

  /** The names of units that others here want to be with. */
  private static Set<String> wantedHere(MachineInfo machine) {
    Set<String> wanted = new HashSet<>();
    Collection<Demand> staying = machine.staying();
    for (Demand demand : staying) {
      addWantedBy(demand, staying, wanted);
    }
    for (Demand global : machine.applicableGlobals()) {
      addWantedBy(global, staying, wanted);
    }
    return wanted;
  }

  private static void addWantedBy(Demand demand, Collection<Demand> staying, Set<String> wanted) {
    String own = demand.unit().value();
    demand.requirements().machineOf().stream()
        .filter(peer -> !peer.equals(own))
        .forEach(wanted::add);
    for (Affinity affinity : demand.requirements().affinities()) {
      if (affinity.isAboutUnits() && affinity.attracts()) {
        staying.stream()
            .map(other -> other.unit().value())
            .filter(name -> !name.equals(own) && affinity.names(name))
            .forEach(wanted::add);
      }
    }
  }

  private Optional<MachineInfo> target(Demand demand, MachineInfo source) {
    boolean picky =
        !demand.requirements().softAffinities().isEmpty()
            || !demand.requirements().spread().isEmpty()
            || !demand.requirements().replaces().isEmpty();
    return layout.without(
        demand.unit(),
        () -> picky ? asGood(demand, source) : scheduler.best(demand, layout, EMPTIEST));
  }

  /** The emptiest machine that the unit likes as well as its own, and if none makes room for it. */
  private Optional<MachineInfo> asGood(Demand demand, MachineInfo source) {
    var wishes = new Preferences(demand, layout);
    return layout.machines().stream()
        .sorted(Comparator.comparingInt(MachineInfo::load).thenComparing(MachineInfo::id))
        .filter(machine -> machine != source)
        .filter(machine -> ReplacesFilter.displacedBy(demand, machine).isEmpty())
        .filter(machine -> scheduler.admits(demand, machine))
        .filter(machine -> wishes.compare(machine, source) <= 0)
        .findFirst();
  }

  // ---- the move

  /** One that takes the room of a global unit stays where it is. */
  private void carryOut(Step step) {
    Move move = step.move();
    settled.add(move.unit());
    MachineInfo source = layout.machine(move.from()).orElseThrow();
    MachineInfo target = layout.machine(move.to()).orElseThrow();
    Set<UnitName> globals = OrderedCopy.of(target.globals().applicable());
    Demand demand = Objects.requireNonNull(source.demand(move.unit()));
    layout.place(move.unit(), demand.requirements(), move.to());
    if (target.globals().applicable().containsAll(globals)) {
      steps.add(step);
      note(source);
      note(target);
      reached.add(machines.evenness());
    } else {
      layout.place(move.unit(), demand.requirements(), move.from());
    }
  }

  private void note(MachineInfo machine) {
    machines.put(machine);
    if (sources.has(machine.id())) {
      sources.put(machine);
    }
  }
}
