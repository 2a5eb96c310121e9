package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Overcommit;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every layout, tried on random ones, the same for the same seed. */
final class SchedulerPropertiesTest {

  private static final List<Filter> FILTERS =
      List.of(
          new MachineIdFilter(),
          new MetadataFilter(),
          new MachineOfFilter(),
          new ConflictsFilter(),
          new ReplacesFilter(),
          new NameFilter());

  private static final List<String> LINES =
      List.of(
          "",
          "MachineMetadata=region=eu",
          "MachineMetadata=\"region=us\" \"region=eu\" \"disk=ssd\"",
          "Conflicts=web@*.service",
          "Conflicts=*[13].service",
          "MachineOf=web@2.service",
          "Replaces=web@[45].service",
          "Replaces=db@*",
          "MachineID=m2");

  private final Scheduler scheduler = new Scheduler();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  /** Changes a layout at random; both of two layouts with the same seed in the same way. */
  private static ClusterLayout random(long seed, ClusterLayout layout) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = random.nextInt(60); i > 0; i--) {
      String machine = "m" + random.nextInt(6);
      UnitName unit = unit(random);
      Requirements asked = asked(random, unit);
      switch (random.nextInt(10)) {
        case 0, 1, 2 ->
            layout.putMachine(
                Layouts.described(
                    machine,
                    "region=" + (random.nextBoolean() ? "eu" : "us"),
                    "disk=" + (random.nextBoolean() ? "ssd" : "hdd")));
        case 3 -> layout.removeMachine(machine);
        case 4 -> layout.remove(unit);
        case 5 -> layout.leave(unit);
        case 6 -> layout.putGlobal(UnitName.of("log@" + random.nextInt(4) + ".service"), asked);
        case 7 -> layout.refuse(machine, unit, "taken");
        default -> layout.place(unit, asked, machine);
      }
    }
    return layout;
  }

  private static UnitName unit(SplittableRandom random) {
    return UnitName.of((random.nextBoolean() ? "web@" : "db@") + random.nextInt(6) + ".service");
  }

  private static Requirements asked(SplittableRandom random, UnitName unit) {
    return Layouts.asking(unit.value(), LINES.get(random.nextInt(LINES.size())));
  }

  private static List<Demand> demands(long seed) {
    SplittableRandom random = new SplittableRandom(-seed);
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UnitName unit = unit(random);
      demands.add(new Demand(unit, asked(random, unit)));
    }
    return demands;
  }

  private static boolean passes(Demand demand, MachineInfo machine) {
    return FILTERS.stream().allMatch(filter -> filter.check(demand, machine).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theChosenMachinePassesAllFiltersAndNoneIsBetter(long seed) {
    ClusterLayout layout = random(seed, new ClusterLayout());
    for (Demand demand : demands(seed)) {
      List<MachineInfo> fitting =
          layout.machines().stream().filter(machine -> passes(demand, machine)).toList();

      switch (scheduler.choose(demand, layout)) {
        case Decision.Placed placed -> {
          MachineInfo chosen = layout.machine(placed.machine()).orElseThrow();
          assertThat(fitting).contains(chosen);
          assertThat(fitting)
              .allSatisfy(other -> {
                assertThat(other.load()).isGreaterThanOrEqualTo(chosen.load());
                if (other.load() == chosen.load()) {
                  assertThat(other.id()).isGreaterThanOrEqualTo(chosen.id());
                }
              });
        }
        case Decision.Unplaceable unplaceable -> {
          assertThat(fitting).isEmpty();
          assertThat(unplaceable.obstacles())
              .flatExtracting(obstacle -> obstacle.verdicts().keySet())
              .containsExactlyInAnyOrderElementsOf(
                  layout.machines().stream().map(MachineInfo::id).toList());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSamePictureGivesTheSameChoiceAlsoWhenForkedOrBuiltAgain(long seed) {
    ClusterLayout layout = random(seed, new ClusterLayout());
    ClusterLayout again = random(seed, new ClusterLayout());
    ClusterLayout fork = layout.fork();
    for (Demand demand : demands(seed)) {
      Decision decision = scheduler.choose(demand, layout);

      assertThat(scheduler.choose(demand, again)).isEqualTo(decision);
      assertThat(scheduler.choose(demand, fork)).isEqualTo(decision);
      if (decision instanceof Decision.Placed placed) {
        List.of(layout, again, fork)
            .forEach(each -> each.place(demand.unit(), demand.requirements(), placed.machine()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasJustPlacedMayStay(long seed) {
    ClusterLayout layout = random(seed, new ClusterLayout());
    for (Demand demand : demands(seed)) {
      layout.remove(demand.unit());
      if (scheduler.choose(demand, layout) instanceof Decision.Placed placed) {
        layout.place(demand.unit(), demand.requirements(), placed.machine());

        assertThat(scheduler.objection(demand.unit(), layout)).isEmpty();
        assertThat(placed.displaced())
            .allSatisfy(unit -> assertThat(scheduler.objection(unit, layout)).isNotEmpty());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsRememberedOfGlobalUnitsIsWhatAFreshLookFinds(long seed) {
    ClusterLayout layout = random(seed, new ClusterLayout());
    for (int i = 0; i < 5; i++) {
      random(seed + i, layout);
      assertThat(layout.machines())
          .allSatisfy(machine ->
              assertThat(machine.globals())
                  .isEqualTo(
                      GlobalUnits.judge(
                          machine.machine(), Overcommit.NONE, machine.units(), layout.globals())));
    }
  }
}
