package fleet.scheduler;

import fleet.core.requirements.Affinity;
import fleet.core.requirements.Requirements;
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
 * strategy likes best, and of equals the first by id. The same picture gives the same choice.
 *
 * <p>Immutable; it never changes a picture.
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
  public Decision choose(UnitName unit, Requirements requirements, Picture picture) {
    Demand demand = new Demand(unit, requirements);
    Strategy strategy = strategyOf(demand);
    List<Filter> rules = filtersOf(strategy);
    return new Choice(demand, picture, rules, strategy)
        .make()
        .<Decision>map(made ->
            new Decision.Placed(
                made.machine().id(),
                reason(demand, strategy, made),
                Collections.unmodifiableSet(ReplacesFilter.displacedBy(demand, made.machine()))))
        .orElseGet(() ->
            new Decision.Unplaceable(
                picture.machines().size(),
                new Inquiry(demand, picture, rules, strategy).obstacles()));
  }

  private List<Filter> filtersOf(Strategy strategy) {
    List<Filter> own = strategy.filters();
    return own.isEmpty() ? filters : Stream.concat(filters.stream(), own.stream()).toList();
  }

  /**
   * Where a unit goes that has to leave the machine that it is on: as if it were nowhere yet. The
   * picture is as before when this returns.
   */
  public Decision chooseAnew(UnitName unit, Requirements requirements, Picture picture) {
    return picture.without(unit, () -> choose(unit, requirements, picture));
  }

  /** Whether a unit could be placed on a machine now. */
  public boolean admits(UnitName unit, Requirements requirements, MachineInfo machine) {
    return admits(new Demand(unit, requirements), machine);
  }

  /**
   * A decision for one given machine.
   *
   * @param why the reason for the placement
   * @return empty if the machine does not admit the unit
   */
  public Optional<Decision.Placed> chooseOnly(
      String machine, UnitName unit, Requirements requirements, Picture picture, String why) {
    Demand demand = new Demand(unit, requirements);
    return picture
        .machine(machine)
        .filter(view -> admits(demand, view))
        .map(view -> new Decision.Placed(machine, why, ReplacesFilter.displacedBy(demand, view)));
  }

  /**
   * The obstacle that keeps a unit from coming to a machine, as if the unit were nowhere yet; empty
   * if there is none. The picture is as before when this returns.
   */
  public Optional<String> obstacle(
      String machine, UnitName unit, Requirements requirements, Picture picture) {
    Demand demand = new Demand(unit, requirements);
    return picture.without(
        unit,
        () ->
            picture
                .machine(machine)
                .map(view -> verdict(demand, view).map(rejection -> rejection.text()))
                .orElse(Optional.of("is not there"))
                .map(text -> "machine " + machine + " " + text));
  }

  private Optional<Rejection> verdict(Demand demand, MachineInfo machine) {
    return filters.stream().flatMap(filter -> filter.check(demand, machine).stream()).findFirst();
  }

  boolean admits(Demand demand, MachineInfo machine) {
    return filters.stream().allMatch(filter -> filter.admits(demand, machine));
  }

  /** The best machine for a unit that another strategy knows, if there is one that fits. */
  Optional<MachineInfo> best(Demand demand, Picture picture, Strategy strategy) {
    return new Choice(demand, picture, filters, strategy).make().map(Choice.Made::machine);
  }

  Strategy strategyOf(Demand demand) {
    return demand
        .requirements()
        .strategy()
        .map(name -> strategies.getOrDefault(name, usual))
        .orElse(usual);
  }

  private static String reason(Demand demand, Strategy strategy, Choice.Made made) {
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
   * told to {@linkplain Picture#leave leave}: so decide one by one.
   */
  public Optional<String> objection(UnitName unit, Picture picture) {
    MachineInfo machine = picture.viewOf(unit);
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
  public Map<UnitName, String> objections(Picture picture) {
    Map<UnitName, String> objections = new TreeMap<>();
    for (MachineInfo machine : picture.views()) {
      binding
          .objections(machine)
          .forEach((unit, why) -> {
            // The place here may only be a reservation.
            if (picture.viewOf(unit) == machine) {
              objections.put(unit, why);
            }
          });
    }
    return objections;
  }

  /**
   * Explains in full where a unit would go now, which takes a look at every machine. A placed unit
   * is judged as if it were nowhere yet, so that its own machine compares with others. The picture
   * is as before when this returns.
   */
  public Why why(UnitName unit, Requirements requirements, Picture picture) {
    Demand demand = new Demand(unit, requirements);
    Strategy strategy = strategyOf(demand);
    Optional<String> place = picture.placement(unit);
    return picture.without(
        unit,
        () ->
            new Inquiry(demand, picture, filtersOf(strategy), strategy)
                .why(choose(unit, requirements, picture), place));
  }

  /** Why a global unit runs where it does, and on which machines it does not. */
  public static Why whyGlobal(UnitName unit, Picture picture) {
    Map<String, Map<String, Rejection>> byRule = new TreeMap<>();
    List<Why.Contender> contenders = new ArrayList<>();
    for (MachineInfo machine : picture.machines()) {
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
    return new Why(picture.machines().size(), obstacles, Optional.empty(), contenders);
  }
}
