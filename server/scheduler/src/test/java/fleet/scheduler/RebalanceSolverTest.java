package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.operation.Evenness;
import fleet.core.operation.Move;
import fleet.core.unit.UnitName;
import fleet.scheduler.RebalanceSolver.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fewest moves that even machines out, and none that a rule or a wish is against. */
final class RebalanceSolverTest {

  private final Scheduler scheduler = new Scheduler();

  private Result moves(ClusterLayout layout, int within) {
    return new RebalanceSolver(scheduler, layout.fork(), _ -> true).moves(within, 100);
  }

  private static Move move(String unit, String from, String to) {
    return new Move(UnitName.of(unit), from, to);
  }

  @Test
  void aMachineThatJoinsGetsItsShareAndNoMore() {
    var layouts = new Layouts().machine("m1").machine("m2").machine("m3");
    for (int i = 1; i <= 3; i++) {
      layouts.unit("m1", "a" + i + ".service").unit("m2", "b" + i + ".service");
    }
    Result result = moves(layouts.layout(), 1);
    assertThat(result.moves())
        .containsExactly(move("a1.service", "m1", "m3"), move("b1.service", "m2", "m3"));
    assertThat(result.steps().getFirst().why()).isEqualTo("leaves 3 units for 0");
    assertThat(result.before()).isEqualTo(new Evenness(0, 3));
    assertThat(result.after()).isEqualTo(new Evenness(2, 2));
    assertThat(moves(layouts.layout(), 2).moves()).hasSize(1);
    assertThat(moves(layouts.layout(), 3).moves()).isEmpty();
  }

  @Test
  void aBudgetIsKept() {
    var layouts = new Layouts().machine("m1").machine("m2");
    for (int i = 1; i <= 8; i++) {
      layouts.unit("m1", "a" + i + ".service");
    }
    Result result = new RebalanceSolver(scheduler, layouts.layout(), _ -> true).moves(1, 2);
    assertThat(result.moves()).hasSize(2);
    assertThat(result.after()).isEqualTo(new Evenness(2, 6));
  }

  @Test
  void aBudgetIsUsedAlsoWhereItDoesNotReachFarEnoughToShow() {
    var layouts = new Layouts().machine("m1").machine("m2").machine("m3").machine("m4");
    for (int i = 1; i <= 4; i++) {
      layouts.unit("m1", "a" + i + ".service").unit("m2", "b" + i + ".service");
    }
    Result result = new RebalanceSolver(scheduler, layouts.layout(), _ -> true).moves(1, 1);
    assertThat(result.moves()).containsExactly(move("a1.service", "m1", "m3"));
    assertThat(result.after()).isEqualTo(new Evenness(0, 4));
  }

  @Test
  void cordonedMachinesAndUnitsThatAreNotToMoveDoNotCount() {
    var layout =
        new Layouts()
            .machine("m1")
            .machine("m2")
            .machine("m3")
            .unit("m1", "a.service")
            .unit("m1", "b.service")
            .unit("m1", "c.service")
            .unit("m2", "d.service")
            .layout();
    layout.cordon("m3", true);
    assertThat(RebalanceSolver.evenness(layout)).isEqualTo(new Evenness(1, 3));
    assertThat(
            new RebalanceSolver(scheduler, layout.fork(), unit -> !unit.value().startsWith("a"))
                .moves(1, 100)
                .moves())
        .containsExactly(move("b.service", "m1", "m2"));
    layout.leave(UnitName.of("a.service"));
    layout.leave(UnitName.of("b.service"));
    assertThat(moves(layout, 1).moves()).isEmpty();
  }

  @Test
  void aUnitStaysWithThoseThatWantItWhereItIs() {
    var layout =
        new Layouts()
            .machine("m1")
            .machine("m2")
            .unit("m1", "a.service")
            .unit("m1", "b.service", "MachineOf=a.service")
            .unit("m1", "c.service")
            .unit("m1", "d.service", "Affinity=unit==c.service")
            .layout();
    assertThat(moves(layout, 1).moves()).isEmpty();
    layout.place(UnitName.of("e.service"), Layouts.asking("e.service"), "m1");
    assertThat(moves(layout, 1).moves()).containsExactly(move("e.service", "m1", "m2"));
  }

  @Test
  void aUnitGoesOnlyWhereItLikesToBeAsMuch() {
    var layout =
        new Layouts()
            .machine("m1", "region=eu")
            .machine("m2", "region=us")
            .machine("m3", "region=eu")
            .unit("m1", "a.service", "Affinity=region==~eu")
            .unit("m1", "b.service", "Affinity=region==~eu")
            .unit("m1", "c.service", "Affinity=region==~eu")
            .unit("m3", "d.service", "MachineID=m3")
            .layout();
    // m2 is emptier.
    assertThat(moves(layout, 1).moves()).containsExactly(move("a.service", "m1", "m3"));
  }

  @Test
  void aFamilyIsNotSpreadLessThanItWas() {
    var layout =
        new Layouts()
            .machine("m1", "rack=1")
            .machine("m2", "rack=2")
            .unit("m1", "web@1.service", "Spread=rack")
            .unit("m2", "web@2.service", "Spread=rack")
            .unit("m1", "a.service", "MachineMetadata=rack=1")
            .unit("m1", "b.service", "MachineMetadata=rack=1")
            .layout();
    assertThat(moves(layout, 1).moves()).isEmpty();
  }

  @Test
  void unitsThatFillMachinesOrGoByLotAreLeftWhereTheyAre() {
    var layout =
        new Layouts()
            .machine("m1")
            .machine("m2")
            .unit("m1", "a.service", "Strategy=binpack")
            .unit("m1", "b.service", "Strategy=random")
            .unit("m1", "c.service", "Strategy=spread")
            .layout();
    assertThat(moves(layout, 1).moves()).containsExactly(move("c.service", "m1", "m2"));
    for (String strategy : List.of("binpack", "random")) {
      Scheduler filling = scheduler.withStrategy(strategy).orElseThrow();
      assertThat(new RebalanceSolver(filling, layout.fork(), _ -> true).isWanted()).isFalse();
    }
    assertThat(new RebalanceSolver(scheduler, layout.fork(), _ -> true).isWanted()).isTrue();
  }

  @Test
  void nothingMovesThatWouldPushAGlobalUnitAwayOrDisplaceAnother() {
    var layout =
        new Layouts()
            .machine("m1")
            .machine("m2", "new=1")
            .global("log.service", "MachineMetadata=new=1", "Conflicts=a*")
            .unit("m1", "a1.service")
            .unit("m1", "a2.service")
            .unit("m1", "a3.service")
            .layout();
    assertThat(moves(layout, 1).moves()).isEmpty();
    var other =
        new Layouts()
            .machine("m1")
            .machine("m2")
            .unit("m1", "a.service", "Replaces=z.service")
            .unit("m1", "b.service", "Replaces=z.service")
            .unit("m1", "c.service", "MachineID=m1")
            .unit("m2", "z.service")
            .layout();
    assertThat(moves(other, 1).moves()).isEmpty();
  }

  @Test
  void whereTheFullestCannotGiveTheNextOneDoes() {
    var layouts = new Layouts().machine("m1", "big=1").machine("m2").machine("m3");
    for (int i = 1; i <= 5; i++) {
      layouts.unit("m1", "a" + i + ".service", "MachineMetadata=big=1");
    }
    for (int i = 1; i <= 4; i++) {
      layouts.unit("m2", "b" + i + ".service");
    }
    Result result = moves(layouts.layout(), 3);
    assertThat(result.moves())
        .containsExactly(move("b1.service", "m2", "m3"), move("b2.service", "m2", "m3"));
    assertThat(result.after()).isEqualTo(new Evenness(2, 5));
  }

  // ---- properties

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  private static final List<String> RULES =
      List.of(
          "MachineMetadata=region=eu",
          "MachineMetadata=region=us",
          "Conflicts=u[12].service",
          "MachineID=m0",
          "Affinity=unit!=u3.service",
          "Memory=2G",
          "Ports=80",
          "MaxPerMachine=1");

  /** A small cluster at random. */
  private record Small(List<String> machines, Map<UnitName, String> places, ClusterLayout layout) {

    static Small of(long seed, int rules) {
      var random = new SplittableRandom(seed);
      var layouts = new Layouts();
      List<String> machines = new ArrayList<>();
      for (int i = random.nextInt(2, 4); i > 0; i--) {
        String id = "m" + machines.size();
        machines.add(id);
        layouts.machine(id, "region=" + (random.nextBoolean() ? "eu" : "us"));
      }
      ClusterLayout layout = layouts.layout();
      Map<UnitName, String> places = new HashMap<>();
      int units = random.nextInt(1, 7);
      for (int i = 0; i < units; i++) {
        UnitName unit = UnitName.of("u" + i + ".service");
        String machine = machines.get(random.nextInt(3) == 0 ? 0 : random.nextInt(machines.size()));
        String rule = random.nextInt(10) < rules ? RULES.get(random.nextInt(RULES.size())) : "";
        layout.place(unit, Layouts.asking(unit.value(), rule), machine);
        places.put(unit, machine);
      }
      return new Small(machines, places, layout);
    }
  }

  /** How many moves it takes at least, as anybody finds out who tries all of them. */
  private OptionalInt fewest(Small small, int within) {
    Set<Map<UnitName, String>> seen = new HashSet<>();
    List<Map<UnitName, String>> edge = List.of(small.places());
    for (int moves = 0; !edge.isEmpty(); moves++) {
      List<Map<UnitName, String>> next = new ArrayList<>();
      for (Map<UnitName, String> places : edge) {
        if (difference(small.machines(), places) <= within) {
          return OptionalInt.of(moves);
        }
        for (UnitName unit : places.keySet()) {
          for (String machine : small.machines()) {
            Map<UnitName, String> moved = new HashMap<>(places);
            moved.put(unit, machine);
            if (!seen.contains(moved) && admits(at(small, places), unit, machine)) {
              seen.add(moved);
              next.add(moved);
            }
          }
        }
      }
      edge = next;
    }
    return OptionalInt.empty();
  }

  private static int difference(List<String> machines, Map<UnitName, String> places) {
    List<Long> loads =
        machines.stream()
            .map(machine -> places.values().stream().filter(machine::equals).count())
            .sorted()
            .toList();
    return (int) (loads.getLast() - loads.getFirst());
  }

  private static ClusterLayout at(Small small, Map<UnitName, String> places) {
    ClusterLayout layout = small.layout().fork();
    places.forEach((unit, machine) -> {
      layout.place(unit, demand(layout, unit).requirements(), machine);
    });
    return layout;
  }

  private static Demand demand(ClusterLayout layout, UnitName unit) {
    MachineInfo machine = Objects.requireNonNull(layout.viewOf(unit));
    return Objects.requireNonNull(machine.demand(unit));
  }

  private boolean admits(ClusterLayout layout, UnitName unit, String machine) {
    Demand demand = demand(layout, unit);
    return layout.without(
        unit, () -> scheduler.admits(demand, layout.machine(machine).orElseThrow()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whereUnitsMayGoAnywhereFewerMovesWouldNotDo(long seed) {
    Small small = Small.of(seed, 0);
    for (int within = 1; within <= 3; within++) {
      Result result = moves(small.layout(), within);
      assertThat(result.moves()).hasSize(fewest(small, within).orElseThrow());
      assertThat(result.after().difference()).isLessThanOrEqualTo(within);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noMoveBreaksARuleAndEachMakesMachinesMoreEven(long seed) {
    Small small = Small.of(seed, 6);
    Result result = moves(small.layout(), 1);
    ClusterLayout layout = small.layout().fork();
    Set<UnitName> moved = new HashSet<>();
    for (RebalanceSolver.Step step : result.steps()) {
      Move move = step.move();
      assertThat(moved.add(move.unit())).isTrue();
      assertThat(layout.placement(move.unit())).contains(move.from());
      assertThat(admits(layout, move.unit(), move.to())).as(move.toString()).isTrue();
      assertThat(step.joins()).isLessThanOrEqualTo(step.leaves() - 2);
      layout.place(move.unit(), demand(layout, move.unit()).requirements(), move.to());
    }
    assertThat(RebalanceSolver.evenness(layout)).isEqualTo(result.after());
    OptionalInt fewest = fewest(small, 1);
    if (result.after().difference() <= 1) {
      assertThat(result.moves()).hasSizeGreaterThanOrEqualTo(fewest.orElseThrow());
    }
    if (fewest.isPresent() && fewest.getAsInt() <= 1) {
      assertThat(result.after().difference()).isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSamePictureGivesTheSameMovesAndIsNotChanged(long seed) {
    Small small = Small.of(seed, 4);
    Small again = Small.of(seed, 4);
    Result result = moves(small.layout(), 1);
    assertThat(moves(small.layout(), 1)).isEqualTo(result);
    assertThat(moves(again.layout(), 1)).isEqualTo(result);
  }
}
