package fleet.bench.micro;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.scheduler.ClusterLayout;
import fleet.scheduler.Decision;
import fleet.scheduler.Demand;
import fleet.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A large cluster: machines of five sizes with three keys of values that 200 have, four fifths full
 * of units whose asks are continuous, each of them placed by the scheduler. The same for the same
 * seed.
 */
public final class Population {

  /** How many machines a large cluster has. */
  public static final int MACHINES = 10_000;

  /** On average. */
  public static final int UNITS_PER_MACHINE = 20;

  /** So that each of the values that {@link #MACHINES} have is that of 200. */
  private static final int MACHINES_PER_VALUE = 200;

  private static final int FAMILIES = 2_000;

  /** How many different sets of requirements there are at least. */
  private static final int SETS = 20_000;

  private static final long GIB = 1L << 30;

  private final SplittableRandom random;
  private final Scheduler scheduler;
  private final ClusterLayout layout = new ClusterLayout();
  private final List<Machine> machines;
  private final List<UnitName> placed;
  private final int values;
  private int made;

  /** Without units. */
  Population(Scheduler scheduler, int size) {
    this(scheduler, size, 0);
  }

  /**
   * Without units.
   *
   * @param number of the cluster: another has others of the same kind
   */
  Population(Scheduler scheduler, int size, int number) {
    this.scheduler = scheduler;
    random = new SplittableRandom(42 + number);
    made = number * size * UNITS_PER_MACHINE;
    values = Math.max(1, size / MACHINES_PER_VALUE);
    placed = new ArrayList<>(size * UNITS_PER_MACHINE);
    machines = IntStream.range(0, size).mapToObj(this::machine).toList();
    machines.forEach(layout::putMachine);
  }

  private Machine machine(int number) {
    int cores = 4 << number % 5;
    Resources total = new Resources(1000L * cores, 4 * GIB * cores, 100 * GIB * cores);
    Map<String, String> metadata =
        Stream.of("zone", "rack", "kind")
            .collect(Collectors.toMap(key -> key, _ -> "v" + random.nextInt(values)));
    String id = "%016x%016x".formatted(random.nextLong(), number);
    return new Machine(id, "boot", "10.0.0.1", metadata, "2.0.0")
        .withResources(total, Resources.UNKNOWN);
  }

  ClusterLayout layout() {
    return layout;
  }

  /** How many units are placed. */
  int size() {
    return placed.size();
  }

  // ---- asking

  /** Units that ask for nothing. */
  List<Requirements> plain() {
    return List.of(Requirements.NONE);
  }

  /** All with resources; 30 % with metadata, 10 % with anti-affinity, 10 % with soft wishes. */
  List<Requirements> mixed() {
    List<Requirements> sets = new ArrayList<>(SETS);
    for (int i = 0; i < SETS; i++) {
      String wish =
          switch (random.nextInt(10)) {
            case 0, 1 -> "MachineMetadata=" + metadata();
            case 2 -> "MachineMetadata=\"%s\" \"zone=v%d\"".formatted(zone(), value());
            case 3 -> "Conflicts=family" + i % FAMILIES + "@*.service";
            case 4 ->
                i % 2 == 0
                    ? "Affinity=5:rack==~v%d\nAffinity=2:kind!=~v%d".formatted(value(), value())
                    : "Affinity=unit!=~family" + i % FAMILIES + "@*.service";
            default -> "";
          };
      sets.add(asked("family" + i % FAMILIES + "@1.service", resources() + wish));
    }
    return sets;
  }

  private String zone() {
    return "zone=v" + value();
  }

  private String metadata() {
    return List.of("zone", "rack", "kind").get(random.nextInt(3)) + "=v" + value();
  }

  private int value() {
    return random.nextInt(values);
  }

  /** On average what makes {@link #UNITS_PER_MACHINE} of them fill four fifths of a machine. */
  private String resources() {
    long millis = random.nextLong(50, 1930);
    long mebibytes = random.nextLong(200, 7730);
    return "Cores=%d.%03d\nMemory=%dM\n".formatted(millis / 1000, millis % 1000, mebibytes);
  }

  /** Nothing tells where these can go but a look at everything that is everywhere. */
  List<Requirements> worst() {
    return List.of(
        asked("x.service", "Memory=64M\nAffinity=unit==/^family7.*@1.*7\\.service$/"),
        asked("x.service", "Memory=64M\nAffinity=unit!=/[02468]\\.service$/"));
  }

  private static Requirements asked(String unit, String lines) {
    try {
      return Requirements.of(UnitName.of(unit), UnitFile.parse("[X-Fleet]\n" + lines + "\n"));
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---- placing

  void fill(List<Requirements> sets) {
    while (placed.size() < machines.size() * UNITS_PER_MACHINE) {
      if (!place(sets)) {
        throw new IllegalStateException("only " + placed.size() + " units found a place");
      }
    }
  }

  /** Makes a unit and places it; whether it found a place. */
  boolean place(List<Requirements> sets) {
    int number = made++;
    int set = number % sets.size();
    UnitName unit =
        UnitName.of("family" + set % FAMILIES + "@" + number / FAMILIES + "-" + set + ".service");
    Requirements asked = sets.get(set);
    if (scheduler.choose(new Demand(unit, asked), layout) instanceof Decision.Placed there) {
      layout.place(unit, asked, there.machine());
      placed.add(unit);
      return true;
    }
    return false;
  }

  /** Takes any unit away. */
  void removeOne() {
    int index = random.nextInt(placed.size());
    UnitName last = placed.removeLast();
    UnitName gone = index == placed.size() ? last : placed.set(index, last);
    layout.remove(gone);
  }

  /** The description of a machine changes; how many of its units may not stay, of those it has. */
  int describeOne() {
    Machine machine = machines.get(random.nextInt(machines.size()));
    layout.putMachine(machine);
    int going = 0;
    for (Demand demand : layout.machine(machine.id()).orElseThrow().units()) {
      going += scheduler.objection(demand.unit(), layout).isPresent() ? 1 : 0;
    }
    return going;
  }
}
