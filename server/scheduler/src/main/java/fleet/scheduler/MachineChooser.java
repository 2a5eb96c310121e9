package fleet.scheduler;

import fleet.core.requirements.Affinity;
import fleet.core.requirements.TextPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a machine for one unit: the best of those that pass all filters.
 *
 * <p>Soft affinities come first: from the heaviest down, each holds that can together with those
 * before it. Then comes the spread of the template's instances, then the strategy's score, then the
 * id.
 */
final class MachineChooser {

  private static final int SHORT_ID = 8;

  /** This many lots are drawn before the winners are searched. */
  private static final int LOTS = 32;

  /** Leaves room for what a unit adds. */
  private static final long WORST = Long.MAX_VALUE / 2;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final Demand demand;
  private final ClusterLayout layout;
  private final List<Filter> filters;
  private final Strategy strategy;
  private final Ranking ranking;

  MachineChooser(Demand demand, ClusterLayout layout, List<Filter> filters, Strategy strategy) {
    this.demand = demand;
    this.layout = layout;
    this.filters = filters;
    this.strategy = strategy;
    this.ranking = layout.ranking(strategy);
  }

  /**
   * The outcome of a choice.
   *
   * @param givenUp the soft affinities that the machine does not meet
   */
  record Made(MachineInfo machine, List<Affinity> givenUp) {}

  Optional<Made> make() {
    List<Affinity> soft = demand.requirements().softAffinities();
    MachineInfo all = best(soft);
    if (all != null || soft.isEmpty()) {
      return Optional.ofNullable(all).map(machine -> new Made(machine, List.of()));
    }
    List<Affinity> kept = new ArrayList<>();
    List<Affinity> givenUp = new ArrayList<>();
    MachineInfo best = null;
    for (Affinity affinity : soft) {
      kept.add(affinity);
      MachineInfo found = kept.size() < soft.size() ? best(kept) : null;
      if (found == null) {
        kept.remove(affinity);
        givenUp.add(affinity);
      } else {
        best = found;
      }
    }
    return Optional.ofNullable(best == null ? best(List.of()) : best)
        .map(machine -> new Made(machine, givenUp));
  }

  /** The best machine of those that also meet some soft affinities. */
  private @Nullable MachineInfo best(List<Affinity> kept) {
    MachineTree.Judge judge = machine -> admits(machine, kept);
    Candidates among = candidates(kept);
    return among.count() == 0 ? null : spread(0, among, judge);
  }

  private boolean admits(MachineInfo machine, List<Affinity> kept) {
    for (Affinity affinity : kept) {
      if (!meets(demand, affinity, machine)) {
        return false;
      }
    }
    // Room comes last among the rules, and is missing most often.
    for (int i = filters.size() - 1; i >= 0; i--) {
      if (!filters.get(i).admits(demand, machine)) {
        return false;
      }
    }
    return true;
  }

  static boolean meets(Demand demand, Affinity affinity, MachineInfo machine) {
    return affinity.isAboutUnits()
        ? UnitAffinityFilter.judge(demand, affinity, machine).isEmpty()
        : affinity.holds(machine.machine().metadata());
  }

  // ---- where to look

  /** A small set that contains all suitable machines. */
  private Candidates candidates(List<Affinity> kept) {
    Candidates among = byName();
    for (Map.Entry<String, Set<String>> asked : demand.requirements().metadata().entrySet()) {
      var having = ranking.having(asked.getKey(), asked.getValue());
      among = among.fewer(new Candidates.Groups(having));
    }
    for (Affinity affinity : demand.requirements().hardAffinities()) {
      among = among.fewer(attracting(affinity, among));
    }
    for (Affinity affinity : kept) {
      among = among.fewer(attracting(affinity, among));
    }
    return among;
  }

  private Candidates byName() {
    Optional<String> id = demand.requirements().machineId();
    if (id.isPresent()) {
      return new Candidates.Few(
          id.get().length() == SHORT_ID
              ? layout.machinesNamed(id.get())
              : layout.machine(id.get()).map(List::of).orElseGet(List::of));
    }
    for (String peer : demand.requirements().machineOf()) {
      if (!peer.equals(demand.unit().value()) && !layout.isGlobal(peer)) {
        return new Candidates.Few(layout.machineOf(peer));
      }
    }
    return new Candidates.Groups(ranking.everybody());
  }

  private Candidates attracting(Affinity affinity, Candidates otherwise) {
    if (!affinity.attracts()) {
      return otherwise;
    }
    boolean literal = affinity.values().stream().allMatch(TextPattern::isLiteral);
    if (!affinity.isAboutUnits()) {
      boolean listed =
          literal
              && (affinity.operator() == Affinity.Operator.IS
                  || affinity.operator() == Affinity.Operator.IN);
      return new Candidates.Groups(
          listed ? ranking.having(affinity.subject(), names(affinity)) : ranking.having(affinity));
    }
    if (!literal || names(affinity).stream().anyMatch(layout::isGlobal)) {
      return otherwise;
    }
    Map<String, MachineInfo> machines = new TreeMap<>();
    for (String name : names(affinity)) {
      layout.machineOf(name).forEach(machine -> machines.put(machine.id(), machine));
    }
    return new Candidates.Few(machines.values());
  }

  private static Set<String> names(Affinity affinity) {
    return affinity.values().stream().map(TextPattern::toString).collect(Collectors.toSet());
  }

  // ---- spreading

  /** The best of the machines with the fewest instances, by each key in turn. */
  private @Nullable MachineInfo spread(int index, Candidates among, MachineTree.Judge judge) {
    List<String> keys = demand.requirements().spread();
    if (index == keys.size()) {
      return search(among, judge);
    }
    String key = keys.get(index);
    Map<String, Integer> counts = layout.spread(demand.unit(), key);
    Optional<String> own = layout.valueAt(demand.unit(), key);
    NavigableMap<Integer, List<MachineGroup>> levels = new TreeMap<>();
    ranking
        .values(key)
        .forEach((value, group) ->
            levels.computeIfAbsent(count(counts, own, value), _ -> new ArrayList<>()).add(group));
    for (Map.Entry<Integer, List<MachineGroup>> level : levels.entrySet()) {
      MachineTree.Judge within =
          machine -> {
            String value = machine.machine().metadata().get(key);
            return value != null
                && count(counts, own, value) == level.getKey()
                && judge.admits(machine);
          };
      Candidates fewer = among.fewer(new Candidates.Groups(level.getValue()));
      MachineInfo found = spread(index + 1, fewer, within);
      if (found != null) {
        return found;
      }
    }
    return spread(
        index + 1,
        among,
        machine -> !machine.machine().metadata().containsKey(key) && judge.admits(machine));
  }

  /** Leaves out the unit itself, if it is placed already. */
  static int count(Map<String, Integer> counts, Optional<String> own, String value) {
    int count = counts.getOrDefault(value, 0);
    return own.isPresent() && own.get().equals(value) ? count - 1 : count;
  }

  // ---- the best by score

  private @Nullable MachineInfo search(Candidates among, MachineTree.Judge judge) {
    if (strategy.isByBids()) {
      return ofFew(layout.bidders(demand.unit()), judge);
    }
    return switch (among) {
      case Candidates.Few few -> ofFew(few.machines(), judge);
      case Candidates.Groups groups ->
          strategy.isByLot() ? drawn(groups, judge) : ofMany(groups.groups(), judge);
    };
  }

  private @Nullable MachineInfo ofFew(Collection<MachineInfo> machines, MachineTree.Judge judge) {
    MachineInfo best = null;
    long bestScore = Long.MAX_VALUE;
    for (MachineInfo machine : machines) {
      long score = strategy.isByLot() ? lot(machine) : strategy.score(demand, machine);
      if (judge.admits(machine) && (best == null || score < bestScore)) {
        best = machine;
        bestScore = score;
      }
    }
    return best;
  }

  private @Nullable MachineInfo ofMany(List<MachineGroup> groups, MachineTree.Judge judge) {
    // The trees would count the unit's own room as taken.
    MachineInfo best = ofFew(layout.machineOf(demand.unit()), judge);
    long bestScore = best == null ? WORST : strategy.score(demand, best);
    for (MachineGroup group : groups) {
      for (MachineTree tree : group.trees()) {
        var size = tree.size().resources();
        var asked = demand.requirements().reservation().on(size);
        int adds = strategy.adds(demand, size);
        MachineInfo found = tree.best(asked, bestScore - adds, judge);
        if (found != null) {
          long score = strategy.score(demand, found);
          if (score < bestScore || best == null || found.id().compareTo(best.id()) < 0) {
            best = found;
            bestScore = score;
          }
        }
      }
    }
    return best;
  }

  // ---- by lot

  private @Nullable MachineInfo drawn(Candidates.Groups among, MachineTree.Judge judge) {
    int count = among.count();
    long lot = strategy.seed(demand);
    for (int i = 0; i < LOTS && count > 0; i++) {
      lot += GOLDEN;
      MachineInfo machine = at(among.groups(), (int) Long.remainderUnsigned(mixed(lot), count));
      if (judge.admits(machine)) {
        return machine;
      }
    }
    List<MachineInfo> machines = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      machines.add(at(among.groups(), i));
    }
    return ofFew(machines, judge);
  }

  private static MachineInfo at(List<MachineGroup> groups, int rank) {
    int rest = rank;
    for (MachineGroup group : groups) {
      for (MachineTree tree : group.trees()) {
        if (rest < tree.count()) {
          return tree.at(rest);
        }
        rest -= tree.count();
      }
    }
    throw new IndexOutOfBoundsException(rank);
  }

  private long lot(MachineInfo machine) {
    return mixed(strategy.seed(demand) ^ machine.id().hashCode() * GOLDEN);
  }

  private static long mixed(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
