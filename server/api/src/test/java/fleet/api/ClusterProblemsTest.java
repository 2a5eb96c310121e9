package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Pause;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.MachineView;
import fleet.cluster.OperationProgress;
import fleet.cluster.UnitView;
import fleet.core.machine.Machine;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.entities.ProblemEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each kind of problem is found, and what somebody asked for is none. */
class ClusterProblemsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final AbsentMachines NONE =
      new AbsentMachines(List.of(), Optional.empty(), List.of());

  private final ClusterProblems problems = new ClusterProblems(NOW);

  private static UnitView launched(String name) {
    return FakeUnits.view(name, DesiredState.LAUNCHED);
  }

  private static UnitView waiting(String name, String why) {
    UnitView view = launched(name);
    return new UnitView(
        view.unit(), view.current(), Optional.empty(), false, why, false, "", Optional.empty(), "");
  }

  private static UnitState state(
      String unit, String active, String result, long restarts, Duration age, String problem) {
    return new UnitState(
        UnitName.of(unit),
        "m1",
        new Incarnation("i1"),
        "h1",
        DesiredState.LAUNCHED,
        1,
        new SystemdState("loaded", active, "", result, "", restarts, NOW.minus(age)),
        problem);
  }

  private void findInUnit(UnitState state) {
    problems.findInUnits(List.of(launched(state.unit().value())), new StatesByUnit(List.of(state)));
  }

  private static MachineView machine(String id, String version) {
    return FakeMachines.server(new Machine(id, "boot", "10.0.0.1", Map.of(), version));
  }

  private List<String> found() {
    return problems.named().stream()
        .map(problem ->
            Stream.of(problem.kind(), problem.unit(), problem.machineID(), problem.name())
                    .filter(word -> !word.isEmpty())
                    .reduce((one, other) -> one + " " + other)
                    .orElse("")
                + ": "
                + problem.text())
        .toList();
  }

  @Test
  void aUnitThatFailedIsAProblemWithItsReasonAndItsTime() {
    findInUnit(state("a.service", "failed", "oom-kill", 0, Duration.ofMinutes(3), "asked twice"));
    assertThat(found())
        .containsExactly("failed a.service m1: failed: killed: out of memory; asked twice");
    assertThat(problems.named().getFirst().since()).isEqualTo("2026-01-01T11:57:00Z");
    assertThat(problems.counts()).isEqualTo(Map.of("failed", 1));
  }

  @Test
  void aUnitThatIsBlockedOrTakesLongOrWasRestartedIsAProblem() {
    findInUnit(state("a.service", "active", "", 0, Duration.ofHours(1), "no such file"));
    findInUnit(state("b.service", "activating", "", 0, Duration.ofMinutes(6), ""));
    findInUnit(state("c.service", "active", "", 3, Duration.ofMinutes(9), ""));
    assertThat(found())
        .containsExactly(
            "blocked a.service m1: no such file",
            "starting b.service m1: starting",
            "restarting c.service m1: restarted 3 times by systemd");
  }

  @Test
  void aStartThatIsYoungAndARestartThatIsOldAreNone() {
    findInUnit(state("b.service", "activating", "", 0, Duration.ofMinutes(4), ""));
    findInUnit(state("c.service", "active", "", 3, Duration.ofMinutes(11), ""));
    findInUnit(state("d.service", "active", "", 0, Duration.ofSeconds(1), ""));
    findInUnit(state("e.service", "inactive", "success", 0, Duration.ofSeconds(1), ""));
    assertThat(found()).isEmpty();
  }

  @Test
  void aUnitThatWaitsIsAProblemAndOneThatIsSubmittedIsNone() {
    problems.findInUnits(
        List.of(
            waiting("big.service", "no machine has 64G"),
            FakeUnits.view("idle.service", DesiredState.INACTIVE)),
        new StatesByUnit(List.of()));
    assertThat(found()).containsExactly("waiting big.service: waiting: no machine has 64G");
  }

  @Test
  void machinesThatAreMissedAreProblemsAndSoIsThePause() {
    problems.findInMachines(
        new AbsentMachines(
            List.of(
                new Absent("m1", 1, Standing.AWAITED, Optional.empty()),
                new Absent("m2", 2, Standing.HELD, Optional.empty()),
                new Absent("m3", 3, Standing.LOST, Optional.empty()),
                new Absent("m4", 0, Standing.CORDONED, Optional.empty()),
                new Absent("m5", 1, Standing.MAINTENANCE, Optional.empty())),
            Optional.of(new Pause(NOW, NOW.plusSeconds(300), 3, 6)),
            List.of()),
        List.of());
    assertThat(found())
        .hasSize(4)
        .containsSubsequence(
            "machine m1: awaited, with 1 unit",
            "machine m2: lost, with 2 units, while rescheduling is paused",
            "machine m3: lost, with 3 units to place elsewhere");
    assertThat(found().getFirst()).startsWith("paused: 3 of 6 machines vanished");
  }

  @Test
  void versionsMayBeNeighboursAndNoMore() {
    problems.findInMachines(NONE, List.of(machine("m1", "2.0.4"), machine("m2", "2.1.0")));
    assertThat(found()).isEmpty();
    problems.findInMachines(
        NONE,
        List.of(machine("m1", "2.0.4"), machine("m2", "2.2.0-SNAPSHOT"), machine("m3", "odd")));
    assertThat(found())
        .containsExactly(
            "versions: machines run 2.0 and 2.2: only neighbouring minor versions work together");
  }

  @Test
  void membersOfTheStoreThatAreNotHealthyAreProblems() {
    problems.findInStore(StoreHealth.EMBEDDED);
    assertThat(found()).isEmpty();
    problems.findInStore(
        new StoreHealth(
            "etcd",
            "",
            List.of(
                new StoreHealth.Member("one", "http://one:2379", "3.5.1", ""),
                new StoreHealth.Member("two", "http://two:2379", "", "does not answer"))));
    problems.findInStore(new StoreHealth("etcd", "cannot be reached", List.of()));
    assertThat(found())
        .containsExactly("store etcd two: does not answer", "store etcd: cannot be reached");
  }

  @Test
  void operationsThatAreHeldUpAreProblemsAndPausedOnesAreNone() {
    Operation drain = new Operation(OperationId.drain("m1"), "user a", NOW, "", 1);
    Operation rollout =
        new Operation(OperationId.rollout(UnitName.of("web@.service")), "user a", NOW, "", 1);
    Operation restart =
        new Operation(OperationId.restart(UnitName.of("mon.service")), "user a", NOW, "", 1);
    problems.findInOperations(
        List.of(
            new OperationProgress(drain, "", "no machine fits", List.of()),
            new OperationProgress(drain.withPaused(true), "", "no machine fits", List.of()),
            new OperationProgress(drain, "", "", List.of()),
            new OperationProgress(rollout.withStage(Stage.BACK, "it failed"), "", List.of()),
            new OperationProgress(restart.withPaused(true), "", List.of()),
            new OperationProgress(
                restart.withPaused(true).withStage(Stage.FORWARD, "it failed"), "", List.of())));
    assertThat(found())
        .containsExactly(
            "operation drain-m1: waits: no machine fits",
            "operation rollout-web@.service: is being reverted: it failed",
            "operation restart-mon.service: is paused: it failed");
  }

  @Test
  void allAreCountedAndTheFirstAreNamed() {
    List<UnitView> many =
        IntStream.range(0, 70).mapToObj(i -> waiting("u" + i + ".service", "full")).toList();
    problems.findInUnits(many, new StatesByUnit(List.of()));
    assertThat(problems.counts()).isEqualTo(Map.of("waiting", 70));
    assertThat(problems.named())
        .hasSize(50)
        .extracting(ProblemEntity::kind)
        .containsOnly("waiting");
  }
}
