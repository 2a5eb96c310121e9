package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.requirements.Affinity;
import fleet.core.requirements.ClaimedPort;
import fleet.core.requirements.Requirements;
import fleet.core.requirements.TextPattern;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules once more, as plainly as they can be said: everything is looked at for every choice,
 * and nothing is remembered but what happened.
 */
final class ObviousScheduler {

  private static final double WHOLE = 1 << 14;
  private static final int LOADS = 1 << 13;

  private final Map<String, Machine> machines = new TreeMap<>();
  private final Set<String> cordoned = new HashSet<>();
  private final Map<UnitName, Placed> placed = new TreeMap<>();
  private final Map<UnitName, Requirements> globals = new TreeMap<>();
  private final Map<String, Set<UnitName>> refusals = new HashMap<>();
  private final Map<UnitName, Map<String, Bidden>> bids = new HashMap<>();

  private record Bidden(int busy, long load) {}

  private record Placed(Requirements asked, String machine, boolean leaving) {}

  private record Present(UnitName unit, Requirements asked, boolean leaving) {}

  // ---- what happens

  void putMachine(Machine machine) {
    machines.put(machine.id(), machine);
  }

  void removeMachine(String id) {
    machines.remove(id);
    refusals.remove(id);
    bids.values().forEach(all -> all.remove(id));
  }

  void cordon(String machine, boolean now) {
    if (now) {
      cordoned.add(machine);
    } else {
      cordoned.remove(machine);
    }
  }

  void place(UnitName unit, Requirements asked, String machine) {
    placed.put(unit, new Placed(asked, machine, false));
  }

  void leave(UnitName unit) {
    placed.computeIfPresent(unit, (_, was) -> new Placed(was.asked, was.machine, true));
  }

  void remove(UnitName unit) {
    placed.remove(unit);
  }

  void putGlobal(UnitName unit, Requirements asked) {
    globals.put(unit, asked);
  }

  void removeGlobal(UnitName unit) {
    globals.remove(unit);
  }

  void refuse(String machine, UnitName unit) {
    if (machines.containsKey(machine)) {
      refusals.computeIfAbsent(machine, _ -> new HashSet<>()).add(unit);
    }
  }

  void bid(String machine, UnitName unit, int busy) {
    if (machines.containsKey(machine)) {
      bids.computeIfAbsent(unit, _ -> new HashMap<>())
          .put(machine, new Bidden(busy, load(machines.get(machine))));
    }
  }

  void decline(String machine, UnitName unit) {
    bids.getOrDefault(unit, new HashMap<>()).remove(machine);
  }

  void forgetBids(UnitName unit) {
    bids.remove(unit);
  }

  // ---- what follows

  /** The machines of which none is better than another, sorted; empty if none will do. */
  List<String> best(UnitName unit, Requirements asked, String strategy) {
    List<Machine> fitting =
        machines.values().stream()
            .filter(m -> fits(unit, asked, m))
            .filter(m -> !strategy.equals("bid") || bids(unit).containsKey(m.id()))
            .toList();
    List<Affinity> kept = new ArrayList<>();
    for (Affinity soft : asked.softAffinities()) {
      List<Affinity> with = new ArrayList<>(kept);
      with.add(soft);
      if (fitting.stream().anyMatch(m -> with.stream().allMatch(a -> meets(unit, a, m)))) {
        kept = with;
      }
    }
    List<Affinity> met = kept;
    List<Machine> left =
        fitting.stream().filter(m -> met.stream().allMatch(a -> meets(unit, a, m))).toList();
    for (String key : asked.spread()) {
      left = fewest(left, m -> family(unit, key, m));
    }
    return fewest(left, m -> score(strategy, unit, asked, m)).stream().map(Machine::id).toList();
  }

  private Map<String, Bidden> bids(UnitName unit) {
    return bids.getOrDefault(unit, Map.of());
  }

  private interface Measure {
    long of(Machine machine);
  }

  private static List<Machine> fewest(List<Machine> machines, Measure measure) {
    long fewest = machines.stream().mapToLong(measure::of).min().orElse(0);
    return machines.stream().filter(m -> measure.of(m) == fewest).toList();
  }

  private long family(UnitName unit, String key, Machine machine) {
    if (!machine.metadata().containsKey(key)) {
      return Long.MAX_VALUE;
    }
    return placed.entrySet().stream()
        .filter(each -> !each.getKey().equals(unit) && !each.getValue().leaving)
        .filter(each -> unit.template().isPresent())
        .filter(each -> each.getKey().template().equals(unit.template()))
        .flatMap(each -> Optional.ofNullable(machines.get(each.getValue().machine)).stream())
        .filter(other -> Objects.equals(other.metadata().get(key), machine.metadata().get(key)))
        .count();
  }

  private long load(Machine machine) {
    return on(machine).stream().filter(each -> !each.leaving).count();
  }

  private long score(String strategy, UnitName unit, Requirements asked, Machine machine) {
    long load = load(machine);
    Size size = Size.of(machine.total());
    long share =
        LOADS
            * (share(reserved(machine, null), size.resources())
                + share(asked.reservation().on(size.resources()), size.resources()));
    return switch (strategy) {
      case "least-loaded" -> load;
      case "spread" -> share + load;
      case "binpack" -> -share - load;
      case "bid" -> {
        Bidden bidden = Objects.requireNonNull(bids(unit).get(machine.id()));
        yield (bidden.busy + Math.max(0, load - bidden.load)) * Integer.MAX_VALUE + load;
      }
      default -> 0;
    };
  }

  private static long share(Resources part, Resources whole) {
    long cores = whole.cpuMillis() == 0 ? 0 : (long) (part.cpuMillis() * WHOLE / whole.cpuMillis());
    long memory = whole.memory() == 0 ? 0 : (long) (part.memory() * WHOLE / whole.memory());
    return cores + memory;
  }

  /** All that runs on a machine, or is yet to stop there. */
  private List<Present> on(Machine machine) {
    List<Present> units = new ArrayList<>();
    placed.forEach((unit, where) -> {
      if (where.machine.equals(machine.id())) {
        units.add(new Present(unit, where.asked, where.leaving));
      }
    });
    globals.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .filter(global -> describes(global.getValue(), machine))
        .filter(global -> units.stream().noneMatch(other -> clash(global, other)))
        .filter(global -> hasRoom(global.getValue(), machine, sum(machine, units)))
        .forEach(global -> units.add(new Present(global.getKey(), global.getValue(), false)));
    return units;
  }

  private static boolean clash(Map.Entry<UnitName, Requirements> global, Present other) {
    return clash(global.getKey(), global.getValue(), other);
  }

  private static boolean clash(UnitName unit, Requirements asked, Present other) {
    return !unit.equals(other.unit)
        && (asked.conflictsWith(other.unit) || other.asked.conflictsWith(unit));
  }

  /** Whether a machine itself is what is asked for. */
  private static boolean describes(Requirements asked, Machine machine) {
    return asked.machineId().map(id -> id.equals(machine.id())).orElse(true)
        && asked.metadata().entrySet().stream()
            .allMatch(each ->
                each.getValue().contains(machine.metadata().getOrDefault(each.getKey(), "")))
        && asked.hardAffinities().stream()
            .filter(affinity -> !affinity.isAboutUnits())
            .allMatch(affinity -> affinity.holds(machine.metadata()));
  }

  private boolean fits(UnitName unit, Requirements asked, Machine machine) {
    List<Present> others = on(machine).stream().filter(each -> !each.unit.equals(unit)).toList();
    List<Present> staying = others.stream().filter(each -> !each.leaving).toList();
    boolean there = placed.containsKey(unit) && placed.get(unit).machine.equals(machine.id());
    return describes(asked, machine)
        && !cordoned.contains(machine.id())
        && !refusals.getOrDefault(machine.id(), Set.of()).contains(unit)
        && asked.machineOf().stream()
            .filter(peer -> !peer.equals(unit.value()))
            .allMatch(peer -> staying.stream().anyMatch(each -> each.unit.value().equals(peer)))
        && (there ? staying : others).stream().noneMatch(each -> clash(unit, asked, each))
        && staying.stream()
            .filter(each -> !isGlobal(each))
            .noneMatch(each -> each.asked.replaces(unit) && !asked.replaces(each.unit))
        && asked.hardAffinities().stream().allMatch(affinity -> meets(unit, affinity, machine))
        && others.stream().noneMatch(each -> keepsAway(each.asked, unit) && !isGlobal(each))
        && freePorts(asked, others)
        && underMaximum(unit, asked, machine)
        && hasRoom(asked, machine, unit);
  }

  private boolean isGlobal(Present unit) {
    return !placed.containsKey(unit.unit);
  }

  private static boolean keepsAway(Requirements asked, UnitName other) {
    return asked.hardAffinities().stream()
        .filter(affinity -> affinity.isAboutUnits() && !affinity.attracts())
        .anyMatch(affinity -> affinity.names(other.value()));
  }

  private boolean meets(UnitName unit, Affinity affinity, Machine machine) {
    if (!affinity.isAboutUnits()) {
      return affinity.holds(machine.metadata());
    }
    List<Present> others = on(machine).stream().filter(each -> !each.unit.equals(unit)).toList();
    return affinity.attracts()
        ? others.stream().anyMatch(each -> !each.leaving && names(affinity, each))
        : others.stream().noneMatch(each -> names(affinity, each));
  }

  private static boolean names(Affinity affinity, Present unit) {
    return affinity.values().stream().anyMatch((TextPattern p) -> p.matches(unit.unit.value()));
  }

  private static boolean freePorts(Requirements asked, List<Present> others) {
    for (Present other : others) {
      for (ClaimedPort taken : other.asked.ports()) {
        if (asked.ports().stream().anyMatch(taken::meets)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean underMaximum(UnitName unit, Requirements asked, Machine machine) {
    long siblings =
        placed.entrySet().stream()
            .filter(each -> each.getValue().machine.equals(machine.id()))
            .filter(each -> !each.getKey().equals(unit) && each.getKey().isInstance())
            .filter(each -> each.getKey().template().equals(unit.template()))
            .count();
    return asked.maxPerMachine() == 0 || siblings < asked.maxPerMachine();
  }

  private boolean hasRoom(Requirements asked, Machine machine, UnitName unit) {
    return hasRoom(asked, machine, reserved(machine, unit));
  }

  private static boolean hasRoom(Requirements asked, Machine machine, Resources taken) {
    Resources wanted = asked.reservation().on(machine.total());
    Resources total = machine.total();
    Resources kept = machine.kept();
    return room(wanted.cpuMillis(), taken.cpuMillis(), total.cpuMillis() - kept.cpuMillis(), total)
        && room(wanted.memory(), taken.memory(), total.memory() - kept.memory(), total)
        && room(wanted.disk(), taken.disk(), total.disk() - kept.disk(), total);
  }

  private static boolean room(long wanted, long taken, long there, Resources total) {
    return wanted == 0 || total.equals(Resources.UNKNOWN) || wanted + taken <= there;
  }

  private Resources reserved(Machine machine, @Nullable UnitName without) {
    return sum(machine, on(machine).stream().filter(each -> !each.unit.equals(without)).toList());
  }

  private static Resources sum(Machine machine, List<Present> units) {
    return units.stream()
        .map(each -> each.asked.reservation().on(machine.total()))
        .reduce(Resources.UNKNOWN, Resources::plus);
  }
}
