package fleet.scheduler;

import fleet.core.machine.Resources;
import fleet.core.requirements.Affinity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks at every machine for one unit, to say why. */
final class Inquiry {

  private static final int OTHERS = 2;

  private final Demand demand;
  private final ClusterLayout layout;
  private final List<Filter> filters;
  private final Strategy strategy;
  private final Preferences wishes;

  Inquiry(Demand demand, ClusterLayout layout, List<Filter> filters, Strategy strategy) {
    this.demand = demand;
    this.layout = layout;
    this.filters = filters;
    this.strategy = strategy;
    this.wishes = new Preferences(demand, layout);
  }

  /** A rule that a machine does not meet. */
  private record Broken(Filter filter, Rejection rejection) {}

  /**
   * @param decision on this very layout
   * @param place the machine that the unit is on, even if the layout differs
   */
  Why why(Decision decision, Optional<String> place) {
    return switch (decision) {
      case Decision.Placed placed ->
          new Why(
              layout.machines().size(), obstacles(), Optional.empty(), contenders(placed, place));
      case Decision.Unplaceable unplaceable ->
          new Why(unplaceable.machines(), unplaceable.obstacles(), nearest(), List.of());
    };
  }

  /** By the first rule that each machine does not meet. */
  List<Obstacle> obstacles() {
    List<Obstacle> obstacles = new ArrayList<>();
    List<MachineInfo> remaining = new ArrayList<>(layout.machines());
    for (Filter filter : filters) {
      Map<String, Rejection> verdicts = new TreeMap<>();
      for (MachineInfo machine : remaining) {
        filter.check(demand, machine).ifPresent(rejection -> verdicts.put(machine.id(), rejection));
      }
      if (!verdicts.isEmpty()) {
        String rule = verdicts.values().iterator().next().rule();
        obstacles.add(new Obstacle(rule, Collections.unmodifiableMap(verdicts)));
        remaining.removeIf(machine -> verdicts.containsKey(machine.id()));
      }
    }
    return obstacles;
  }

  // ---- if none fits

  /**
   * The fewest rules not met; of equals the one that meets all rules up to a later one, for the
   * first rules say what a machine is, and the last ones what is on it; then the least room
   * missing.
   */
  private Optional<Why.Miss> nearest() {
    return layout.machines().stream()
        .min(
            Comparator.<MachineInfo>comparingInt(machine -> broken(machine).size())
                .thenComparingInt(machine -> -firstBroken(machine))
                .thenComparingDouble(this::missingShare))
        .map(machine -> {
          List<Broken> broken = broken(machine);
          return new Why.Miss(
              machine.id(),
              broken.stream().map(Broken::rejection).toList(),
              broken.stream()
                  .map(each -> each.filter().remedy(demand, machine, each.rejection()))
                  .collect(Collectors.joining(", and ")));
        });
  }

  private List<Broken> broken(MachineInfo machine) {
    return filters.stream()
        .flatMap(filter ->
            filter.check(demand, machine).map(rejection -> new Broken(filter, rejection)).stream())
        .toList();
  }

  private int firstBroken(MachineInfo machine) {
    int rule = 0;
    while (rule < filters.size() && filters.get(rule).admits(demand, machine)) {
      rule++;
    }
    return rule;
  }

  private double missingShare(MachineInfo machine) {
    Resources shortfall = ResourcesFilter.shortfall(demand, machine);
    Resources capacity = machine.capacity();
    return share(shortfall.cpuMillis(), capacity.cpuMillis())
        + share(shortfall.memory(), capacity.memory())
        + share(shortfall.disk(), capacity.disk())
        + share(shortfall.tasks(), capacity.tasks());
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  // ---- if some do

  private List<Why.Contender> contenders(Decision.Placed placed, Optional<String> place) {
    MachineInfo chosen = layout.machine(placed.machine()).orElseThrow();
    List<MachineInfo> others =
        new ArrayList<>(
            layout.machines().stream()
                .filter(machine -> machine != chosen)
                .filter(this::fits)
                .sorted(this::compare)
                .limit(OTHERS)
                .toList());
    place
        .flatMap(layout::machine)
        .filter(own -> own != chosen && !others.contains(own) && fits(own))
        .ifPresent(others::add);
    return Stream.concat(
            Stream.of(new Why.Contender(chosen.id(), placed.text())),
            others.stream()
                .map(machine -> new Why.Contender(machine.id(), whyNot(machine, chosen))))
        .toList();
  }

  private boolean fits(MachineInfo machine) {
    return filters.stream().allMatch(filter -> filter.admits(demand, machine));
  }

  private int compare(MachineInfo one, MachineInfo other) {
    int wished = wishes.compare(one, other);
    if (wished != 0) {
      return wished;
    }
    int score = Long.compare(strategy.score(demand, one), strategy.score(demand, other));
    return score != 0 ? score : one.id().compareTo(other.id());
  }

  /** The first criterion in which the chosen one is better. */
  private String whyNot(MachineInfo machine, MachineInfo chosen) {
    for (Affinity affinity : demand.requirements().softAffinities()) {
      if (wishes.meets(affinity, chosen) && !wishes.meets(affinity, machine)) {
        return "is not " + affinity.text();
      }
    }
    for (String key : demand.requirements().spread()) {
      if (wishes.family(key, machine) > wishes.family(key, chosen)) {
        return spreadInWords(key, machine, chosen);
      }
    }
    if (strategy.isByLot()) {
      return "fits as well; the lot fell on another";
    }
    if (strategy.score(demand, machine) > strategy.score(demand, chosen)) {
      return strategy.comparison(demand, machine, chosen);
    }
    return "is as good, and comes after " + chosen.id() + " by its id";
  }

  private String spreadInWords(String key, MachineInfo machine, MachineInfo chosen) {
    String value = machine.machine().metadata().get(key);
    return value == null
        ? "has no " + key
        : "has %d of %s at %s=%s, and not %d"
            .formatted(
                wishes.family(key, machine),
                Families.template(demand.unit()),
                key,
                value,
                wishes.family(key, chosen));
  }
}
