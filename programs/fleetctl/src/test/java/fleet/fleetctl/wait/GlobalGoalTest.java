package fleet.fleetctl.wait;

import static fleet.fleetctl.wait.UnitSnapshots.MACHINE;
import static fleet.fleetctl.wait.UnitSnapshots.old;
import static fleet.fleetctl.wait.UnitSnapshots.snapshot;
import static fleet.fleetctl.wait.UnitSnapshots.textOf;
import static fleet.fleetctl.wait.UnitSnapshots.unit;
import static fleet.fleetctl.wait.UnitSnapshots.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GlobalGoalTest {

  private static final GlobalGoal LAUNCHED = new GlobalGoal(new ActiveGoal(), "launched");
  private static final String OTHER = "9c1e02d4b2c34d5e8f90a1b2c3d4e5f6";

  private static UnitEntity on(UnitEntity unit, String... machines) {
    return unit.withRunsOn(List.of(machines));
  }

  private static UnitEntity launched(String... machines) {
    return on(unit("launched", "", 1), machines);
  }

  private static StateEntity state(String machine, String performed, String active) {
    return new StateEntity(
        "hash",
        machine,
        "a.service",
        active,
        "loaded",
        "sub",
        "inc2",
        "i2",
        performed,
        "",
        1L,
        0L,
        active.equals("failed") ? "exit-code" : "success",
        "");
  }

  @Test
  void everyMachineThatIsToHaveItHasToGetThere() {
    assertThat(
            textOf(
                LAUNCHED.judge(
                    snapshot(launched(MACHINE, OTHER), state(OTHER, "launched", "active")))))
        .isEqualTo("pending: 1 of 2 machines done; placed on M, not there yet");
    Verdict all =
        LAUNCHED.judge(
            snapshot(
                launched(MACHINE, OTHER),
                state(OTHER, "launched", "active"),
                state(MACHINE, "launched", "active")));
    assertThat(textOf(all)).isEqualTo("reached:  but is launched on all 2 machines that it fits");
  }

  /** As many as a cluster may have. */
  @Test
  void eachOfManyMachinesIsJudgedByItsOwnState() {
    List<String> machines = IntStream.range(0, 5000).mapToObj(i -> "m" + i).toList();
    StateEntity[] states =
        machines.reversed().stream()
            .map(machine ->
                state(machine, "launched", machine.equals("m4321") ? "failed" : "active"))
            .toArray(StateEntity[]::new);
    assertThat(LAUNCHED.judge(snapshot(launched(machines.toArray(String[]::new)), states)))
        .isInstanceOfSatisfying(
            Verdict.FailedOnSome.class,
            some ->
                assertThat(some.failures())
                    .extracting(Verdict.Failed::machine)
                    .containsExactly("m4321"));
  }

  @Test
  void stateOnOtherMachinesDecidesNothing() {
    assertThat(
            textOf(LAUNCHED.judge(snapshot(launched(OTHER), state(MACHINE, "launched", "failed")))))
        .startsWith("pending: 0 of 1 machines done");
  }

  @Test
  void itFailsOnceTheOutcomeIsKnownEverywhere() {
    StateEntity failed = state(MACHINE, "launched", "failed");
    assertThat(textOf(LAUNCHED.judge(snapshot(launched(MACHINE, OTHER), failed))))
        .startsWith("pending: 0 of 2 machines done, 1 failed; placed on M");
    assertThat(
            textOf(
                LAUNCHED.judge(
                    snapshot(
                        launched(MACHINE, OTHER), failed, state(OTHER, "launched", "active")))))
        .isEqualTo("failed on 1 of 2: failed on M (result exit-code)");
  }

  @Test
  void aMachineThatRefusesItIsAFailure() {
    UnitEntity refused = on(waiting("machine m9 refuses it: systemd knows it", false), MACHINE);
    assertThat(textOf(LAUNCHED.judge(snapshot(refused, state(MACHINE, "launched", "active")))))
        .isEqualTo("failed on 1 of 1: machine m9 refuses it: systemd knows it");
  }

  @Test
  void ifNoPresentMachineIsToHaveItItIsDone() {
    assertThat(textOf(LAUNCHED.judge(snapshot(launched()))))
        .isEqualTo("reached:  but fits none of the machines that are there");
  }

  @Test
  void somebodyElseMayWantSomethingElseMeanwhile() {
    assertThat(textOf(LAUNCHED.judge(snapshot(on(unit("loaded", "", 1), MACHINE)))))
        .startsWith("failed: got the desired state loaded meanwhile");
    assertThat(textOf(LAUNCHED.judge(UnitSnapshot.NOTHING)))
        .isEqualTo("failed: was destroyed meanwhile");
  }

  @ParameterizedTest
  @ValueSource(strings = {"launched", "inactive"})
  void fleet1IsNotWaitedFor(String desired) {
    assertThat(textOf(LAUNCHED.judge(old(desired, "", "failed")))).isEqualTo("reached: ");
  }

  @Test
  void stoppedAndGoneAreMeantOfAllMachines() {
    var stopped = new GlobalGoal(new StoppedGoal(List.of("i2")), "stopped");
    UnitEntity unit = on(unit("loaded", "", 1), MACHINE);
    assertThat(textOf(stopped.judge(snapshot(unit, state(MACHINE, "loaded", "deactivating")))))
        .startsWith("pending: 0 of 1 machines done; deactivating");
    assertThat(textOf(stopped.judge(snapshot(unit, state(MACHINE, "loaded", "inactive")))))
        .isEqualTo("reached:  but is stopped on the one machine that it fits");

    var gone = new GlobalGoal(new InactiveGoal(), "unloaded");
    assertThat(
            textOf(
                gone.judge(snapshot(unit("inactive", "", 1), state(OTHER, "loaded", "inactive")))))
        .startsWith("pending: ");
    assertThat(textOf(gone.judge(snapshot(unit("inactive", "", 1)))))
        .isEqualTo("reached:  but is on no machine any more");
  }
}
