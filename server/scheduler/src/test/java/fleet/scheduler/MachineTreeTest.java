package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.unit.UnitName;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A tree finds what a look at every machine finds, however many there are, and whatever became of
 * them: here if it is large enough to promise anything.
 */
final class MachineTreeTest {

  private static final Resources TOTAL = new Resources(8000, 32L << 30, 100L << 30);
  private static final int MACHINES = 1600;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20);
  }

  /** A machine of the tree, and where it stands. */
  private static final class Known {
    private final MachineInfo machine;
    private final TreeLeaf seat;
    private int standing;

    Known(MachineInfo machine, int standing, TreeLeaf seat) {
      this.machine = machine;
      this.standing = standing;
      this.seat = seat;
    }
  }

  private static final class History {

    private final SplittableRandom random;
    private final MachineTree tree = new MachineTree(Size.of(TOTAL));
    private final NavigableMap<String, Known> machines = new TreeMap<>();
    private int found;

    /** Small trees, and such as have branches on branches. */
    History(long seed) {
      random = new SplittableRandom(seed);
      for (int i = seed % 2 == 0 ? 0 : MACHINES; i > 0; i--) {
        touch("m" + i, 20);
      }
    }

    void something() {
      touch("m" + random.nextInt(MACHINES), 20);
      look();
    }

    /** Each change may be the last that is heard of the machine. */
    void shrink() {
      touch(machines.firstKey(), 1);
      touch(machines.lastKey(), 1);
      look();
    }

    boolean isLarge() {
      return machines.size() > 1;
    }

    private void touch(String id, int lives) {
      Known known = machines.get(id);
      if (known == null) {
        add(id);
      } else if (random.nextInt(lives) == 0) {
        known.seat.remove();
        machines.remove(id);
      } else {
        change(known);
      }
    }

    private void add(String id) {
      var machine = new MachineInfo(id, new TreeMap<>());
      machine.describe(
          new Machine(id, "boot", "", Map.of(), "2.0.0").withResources(TOTAL, Resources.UNKNOWN));
      int standing = standing();
      machines.put(id, new Known(machine, standing, tree.add(machine, standing)));
    }

    /** Few different ones, so that some are equal. */
    private int standing() {
      return random.nextInt(30) - 10;
    }

    private void change(Known known) {
      String unit = "web@" + random.nextInt(4) + ".service";
      if (random.nextInt(3) == 0) {
        known.machine.remove(UnitName.of(unit));
      } else {
        known.machine.put(
            Layouts.demand(
                unit, "Cores=0." + random.nextInt(999), "Memory=" + random.nextInt(15_000) + "M"));
      }
      known.standing = standing();
      known.seat.update(known.standing);
    }

    private void look() {
      Resources asked =
          new Resources(
              random.nextBoolean() ? 0 : random.nextInt(8000),
              random.nextBoolean() ? 0 : random.nextLong(32L << 30),
              0);
      long worst = random.nextInt(4) == 0 ? standing() : Long.MAX_VALUE / 2;
      int unloved = random.nextInt(3) == 0 ? random.nextInt(10) : -1;
      MachineTree.Judge judge = machine -> !machine.id().endsWith("" + unloved);
      MachineInfo best = tree.best(asked, worst, judge);
      assertThat(best).isSameAs(obvious(asked, worst, judge));
      found += best == null ? 0 : 1;
    }

    private @Nullable MachineInfo obvious(Resources asked, long worst, MachineTree.Judge judge) {
      return machines.values().stream()
          .filter(known -> known.standing <= worst)
          .filter(known -> hasRoom(asked.cpuMillis(), known.machine.room().cpuMillis()))
          .filter(known -> hasRoom(asked.memory(), known.machine.room().memory()))
          .filter(known -> judge.admits(known.machine))
          .min(
              Comparator.<Known>comparingInt(known -> known.standing)
                  .thenComparing(known -> known.machine.id()))
          .map(known -> known.machine)
          .orElse(null);
    }

    private static boolean hasRoom(long asked, long free) {
      return asked == 0 || asked <= free;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theBestIsTheFirstOfTheBestThatWouldDo(long seed) {
    var history = new History(seed);
    for (int i = 0; i < 1000; i++) {
      history.something();
    }
    while (history.isLarge()) {
      history.shrink();
    }
    assertThat(history.found).isGreaterThan(500);
  }
}
