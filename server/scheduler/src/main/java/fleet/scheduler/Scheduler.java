package fleet.scheduler;

import fleet.core.requirements.Affinity;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses machines for units that are not global: of those that pass all filters the one that the
 * strategy likes best, and of equals the first by id. The same layout gives the same choice.
 *
 * <p>Immutable; it never changes a layout.
 */
public final class Scheduler {

  private final List<Filter> filters;
  private final BindingFilters binding;
  private final NavigableMap<String, Strategy> strategies = new TreeMap<>();
  private final Strategy usual;

  /** With all rules that there are, and the least loaded machine before others. */
  public Scheduler() {
    this(0);
  }

  /**
   * With all rules that there are, and the least loaded machine before others.
   *
   * @param seed of the lots that the strategy {@code random} draws
   */
  public Scheduler(long seed) {
    this(Rules.filters(), Rules.strategies(seed));
  }

  /**
   * With given rules.
   *
   * @param filters in the order in which a machine is judged, and explained
   * @param strategies among which units may choose; the first is for those that do not
   */
  public Scheduler(List<Filter> filters, List<Strategy> strategies) {
    this(filters, strategies, strategies.getFirst());
  }

  private Scheduler(List<Filter> filters, Collection<Strategy> strategies, Strategy usual) {
    strategies.forEach(strategy -> this.strategies.put(strategy.name(), strategy));
    List<Filter> all = new ArrayList<>();
    all.add(new StrategyFilter(Collections.unmodifiableSet(this.strategies.keySet())));
    all.addAll(filters);
    this.filters = List.copyOf(all);
    this.binding = new BindingFilters(all);
    this.usual = usual;
  }

  /** The names of the strategies, sorted. */
  public Set<String> strategies() {
    return Collections.unmodifiableSet(strategies.keySet());
  }

  /** The strategy of units that do not say which. */
  public Strategy strategy() {
    return usual;
  }

  /**
   * The same with another strategy for units that do not say which.
   *
   * @return empty if there is none of this name
   */
  public Optional<Scheduler> withStrategy(String name) {
    return Optional.ofNullable(strategies.get(name))
        .map(strategy ->
            new Scheduler(filters.subList(1, filters.size()), strategies.values(), strategy));
  }

  /** The same without asking machines: all machines that fit are taken to bid the same. */
  public Scheduler foreseen() {
    List<Strategy> foreseen =
        strategies.values().stream()
            .map(strategy -> strategy.isByBids() ? new ForeseenBids() : strategy)
            .toList();
    return new Scheduler(filters.subList(1, filters.size()), foreseen)
        .withStrategy(usual.name())
        .orElseThrow();
  }

  /** Where a unit goes that is to be placed now. */
  public Decision choose(Demand demand, ClusterLayout layout) {
    Strategy strategy = strategyOf(demand);
    List<Filter> rules = filtersOf(strategy);
    return new MachineChooser(demand, layout, rules, strategy)
        .make()
        .<Decision>map(made ->
            new Decision.Placed(
                made.machine().id(),
                reason(demand, strategy, made),
                Collections.unmodifiableSet(ReplacesFilter.displacedBy(demand, made.machine()))))
        .orElseGet(() ->
            new Decision.Unplaceable(
                layout.machines().size(),
                new Inquiry(demand, layout, rules, strategy).obstacles()));
  }

  private List<Filter> filtersOf(Strategy strategy) {
    List<Filter> own = strategy.filters();
    return own.isEmpty() ? filters : Stream.concat(filters.stream(), own.stream()).toList();
  }

  /**
   * Where a unit goes that has to leave the machine that it is on: as if it were nowhere yet. The
   * layout is as before when this returns.
   */
  public Decision chooseAsIfUnplaced(Demand demand, ClusterLayout layout) {
    return layout.without(demand.unit(), () -> choose(demand, layout));
  }

  /**
   * A decision for one given machine.
   *
   * @param why the reason for the placement
   * @return empty if the machine does not admit the unit
   */
  public Optional<Decision.Placed> chooseOnly(
      String machine, Demand demand, ClusterLayout layout, String why) {
    return layout
        .machine(machine)
        .filter(view -> admits(demand, view))
        .map(view -> new Decision.Placed(machine, why, ReplacesFilter.displacedBy(demand, view)));
  }

  /**
   * A decision to leave a placed unit where it is although it asks for something else now. The
   * layout is as before when this returns.
   *
   * @param why the reason for the placement
   * @return empty if its machine does not admit it any more
   */
  public Optional<Decision.Placed> chooseInPlace(Demand demand, ClusterLayout layout, String why) {
    Optional<String> machine = layout.placement(demand.unit());
    return layout.without(
        demand.unit(), () -> machine.flatMap(id -> chooseOnly(id, demand, layout, why)));
  }

  /**
   * The obstacle that keeps a unit from coming to a machine, as if the unit were nowhere yet; empty
   * if there is none. The layout is as before when this returns.
   */
  public Optional<String> obstacle(String machine, Demand demand, ClusterLayout layout) {
    return layout.without(
        demand.unit(),
        () ->
            layout
                .machine(machine)
                .map(view -> verdict(demand, view).map(rejection -> rejection.text()))
                .orElse(Optional.of("is not there"))
                .map(text -> "machine " + machine + " " + text));
  }

  private Optional<Rejection> verdict(Demand demand, MachineInfo machine) {
    return filters.stream().flatMap(filter -> filter.check(demand, machine).stream()).findFirst();
  }

  /** Whether a unit could be placed on a machine now. */
  public boolean admits(Demand demand, MachineInfo machine) {
    return filters.stream().allMatch(filter -> filter.admits(demand, machine));
  }

  /** The best machine for a unit that another strategy knows, if there is one that fits. */
  Optional<MachineInfo> best(Demand demand, ClusterLayout layout, Strategy strategy) {
    return new MachineChooser(demand, layout, filters, strategy)
        .make()
        .map(MachineChooser.Made::machine);
  }

  Strategy strategyOf(Demand demand) {
    return demand
        .requirements()
        .strategy()
        .map(name -> strategies.getOrDefault(name, usual))
        .orElse(usual);
  }

  private static String reason(Demand demand, Strategy strategy, MachineChooser.Made made) {
    String reason = strategy.reason(demand, made.machine());
    List<String> spread = demand.requirements().spread();
    if (!spread.isEmpty()) {
      reason += ", spread over " + String.join(" and ", spread);
    }
    if (!made.givenUp().isEmpty()) {
      reason +=
          ", though not "
              + made.givenUp().stream().map(Affinity::text).collect(Collectors.joining(" nor "));
    }
    return reason;
  }

  /**
   * Why a placed unit may not stay where it is: its machine went, or does not meet its requirements
   * any more. Empty if it may, and for a unit that is not placed.
   *
   * <p>If two units are in each other's way, both are objected to, until the first of them has been
   * told to {@linkplain ClusterLayout#leave leave}: so decide one by one.
   */
  public Optional<String> objection(UnitName unit, ClusterLayout layout) {
    MachineInfo machine = layout.viewOf(unit);
    Demand demand = machine == null ? null : machine.demand(unit);
    if (machine == null || demand == null) {
      return Optional.empty();
    }
    return binding.objection(demand, machine);
  }

  /**
   * The {@linkplain #objection objections} to all placed units. A machine without a change since
   * the last call is not judged again, so usually this is a glance at each machine.
   */
  public Map<UnitName, String> objections(ClusterLayout layout) {
    Map<UnitName, String> objections = new TreeMap<>();
    for (MachineInfo machine : layout.views()) {
      binding
          .objections(machine)
          .forEach((unit, why) -> {
            // The place here may only be a reservation.
            if (layout.viewOf(unit) == machine) {
              objections.put(unit, why);
            }
          });
    }
    return objections;
  }

  /**
   * Explains in full where a unit would go now, which takes a look at every machine. A placed unit
   * is judged as if it were nowhere yet, so that its own machine compares with others. The layout
   * is as before when this returns.
   */
  public Why why(Demand demand, ClusterLayout layout) {
    Strategy strategy = strategyOf(demand);
    Optional<String> place = layout.placement(demand.unit());
    return layout.without(
        demand.unit(),
        () ->
            new Inquiry(demand, layout, filtersOf(strategy), strategy)
                .why(choose(demand, layout), place));
  }

  /** Why a global unit runs where it does, and on which machines it does not. */
  public static Why whyGlobal(UnitName unit, ClusterLayout layout) {
    Map<String, Map<String, Rejection>> byRule = new TreeMap<>();
    List<Why.Contender> contenders = new ArrayList<>();
    for (MachineInfo machine : layout.machines()) {
      Rejection rejection = machine.globals().others().get(unit);
      if (rejection != null) {
        byRule.computeIfAbsent(rejection.rule(), _ -> new TreeMap<>()).put(machine.id(), rejection);
      } else if (machine.globals().applicable().contains(unit)) {
        contenders.add(new Why.Contender(machine.id(), "fits, with " + machine.loadInWords()));
      }
    }
    List<Obstacle> obstacles = new ArrayList<>();
    byRule.forEach((rule, verdicts) ->
        obstacles.add(new Obstacle(rule, Collections.unmodifiableMap(verdicts))));
    return new Why(layout.machines().size(), obstacles, Optional.empty(), contenders);
  }
}
