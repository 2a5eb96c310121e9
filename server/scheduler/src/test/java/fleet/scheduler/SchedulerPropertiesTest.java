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

/** Properties of every picture, tried on random ones, the same for the same seed. */
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

  /** Changes a picture at random; both of two pictures with the same seed in the same way. */
  private static Picture random(long seed, Picture picture) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = random.nextInt(60); i > 0; i--) {
      String machine = "m" + random.nextInt(6);
      UnitName unit = unit(random);
      Requirements asked = asked(random, unit);
      switch (random.nextInt(10)) {
        case 0, 1, 2 ->
            picture.putMachine(
                Pictures.described(
                    machine,
                    "region=" + (random.nextBoolean() ? "eu" : "us"),
                    "disk=" + (random.nextBoolean() ? "ssd" : "hdd")));
        case 3 -> picture.removeMachine(machine);
        case 4 -> picture.remove(unit);
        case 5 -> picture.leave(unit);
        case 6 -> picture.putGlobal(UnitName.of("log@" + random.nextInt(4) + ".service"), asked);
        case 7 -> picture.refuse(machine, unit, "taken");
        default -> picture.place(unit, asked, machine);
      }
    }
    return picture;
  }

  private static UnitName unit(SplittableRandom random) {
    return UnitName.of((random.nextBoolean() ? "web@" : "db@") + random.nextInt(6) + ".service");
  }

  private static Requirements asked(SplittableRandom random, UnitName unit) {
    return Pictures.asking(unit.value(), LINES.get(random.nextInt(LINES.size())));
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
    Picture picture = random(seed, new Picture());
    for (Demand demand : demands(seed)) {
      List<MachineInfo> fitting =
          picture.machines().stream().filter(machine -> passes(demand, machine)).toList();

      switch (scheduler.choose(demand.unit(), demand.requirements(), picture)) {
        case Decision.Placed placed -> {
          MachineInfo chosen = picture.machine(placed.machine()).orElseThrow();
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
                  picture.machines().stream().map(MachineInfo::id).toList());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSamePictureGivesTheSameChoiceAlsoWhenForkedOrBuiltAgain(long seed) {
    Picture picture = random(seed, new Picture());
    Picture again = random(seed, new Picture());
    Picture fork = picture.fork();
    for (Demand demand : demands(seed)) {
      Decision decision = scheduler.choose(demand.unit(), demand.requirements(), picture);

      assertThat(scheduler.choose(demand.unit(), demand.requirements(), again)).isEqualTo(decision);
      assertThat(scheduler.choose(demand.unit(), demand.requirements(), fork)).isEqualTo(decision);
      if (decision instanceof Decision.Placed placed) {
        List.of(picture, again, fork)
            .forEach(each -> each.place(demand.unit(), demand.requirements(), placed.machine()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasJustPlacedMayStay(long seed) {
    Picture picture = random(seed, new Picture());
    for (Demand demand : demands(seed)) {
      picture.remove(demand.unit());
      if (scheduler.choose(demand.unit(), demand.requirements(), picture)
          instanceof Decision.Placed placed) {
        picture.place(demand.unit(), demand.requirements(), placed.machine());

        assertThat(scheduler.objection(demand.unit(), picture)).isEmpty();
        assertThat(placed.displaced())
            .allSatisfy(unit -> assertThat(scheduler.objection(unit, picture)).isNotEmpty());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsRememberedOfGlobalUnitsIsWhatAFreshLookFinds(long seed) {
    Picture picture = random(seed, new Picture());
    for (int i = 0; i < 5; i++) {
      random(seed + i, picture);
      assertThat(picture.machines())
          .allSatisfy(machine ->
              assertThat(machine.globals())
                  .isEqualTo(
                      GlobalUnits.judge(
                          machine.machine(), Overcommit.NONE, machine.units(), picture.globals())));
    }
  }
}
