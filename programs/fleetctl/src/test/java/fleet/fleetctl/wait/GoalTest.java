package fleet.fleetctl.wait;

import static fleet.fleetctl.wait.UnitSnapshots.MACHINE;
import static fleet.fleetctl.wait.UnitSnapshots.kept;
import static fleet.fleetctl.wait.UnitSnapshots.old;
import static fleet.fleetctl.wait.UnitSnapshots.snapshot;
import static fleet.fleetctl.wait.UnitSnapshots.state;
import static fleet.fleetctl.wait.UnitSnapshots.textOf;
import static fleet.fleetctl.wait.UnitSnapshots.unit;
import static fleet.fleetctl.wait.UnitSnapshots.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.StateEntity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GoalTest {

  private static String active(UnitSnapshot snapshot) {
    return textOf(new ActiveGoal().judge(snapshot));
  }

  private static String stopped(UnitSnapshot snapshot) {
    return textOf(new StoppedGoal(List.of("i1")).judge(snapshot));
  }

  @Test
  void aUnitWithoutAPlaceSaysWhy() {
    assertThat(active(snapshot(waiting("2 of 2 machines lack region=eu", false))))
        .isEqualTo("pending: waiting for a place: 2 of 2 machines lack region=eu");
    assertThat(active(snapshot(waiting("the name is taken", true))))
        .isEqualTo("failed: waiting for a place: the name is taken");
  }

  @Test
  void aStartIsAnnouncedOnceTheMachineIsAtIt() {
    assertThat(active(snapshot(unit("launched", MACHINE, 1))))
        .isEqualTo("pending: placed on M, not there yet");
    assertThat(
            active(
                snapshot(unit("launched", MACHINE, 1), state("loaded", 0, "inactive", "dead", ""))))
        .isEqualTo("pending: to be started on M");
    Verdict verdict =
        new ActiveGoal()
            .judge(
                snapshot(
                    unit("launched", MACHINE, 1),
                    state("launched", 0, "activating", "start-pre", "success")));
    assertThat(textOf(verdict)).isEqualTo("pending: activating (start-pre) on M");
    assertThat(((Verdict.Pending) verdict).announcement())
        .contains(new Verdict.Announcement("launched", MACHINE));
  }

  @ParameterizedTest
  @CsvSource({
    "active, running, success, reached: launched",
    "reloading, reload, success, reached: launched",
    "inactive, dead, success, reached: launched",
    "inactive, dead, exit-code, failed: failed on M (result exit-code)",
    "inactive, dead, exec-condition, reached: launched but did not run: an ExecCondition= of its file does not hold on its machine",
    "failed, failed, timeout, failed: failed on M (result timeout)",
    "activating, auto-restart, exit-code, pending: activating (auto-restart) on M",
    "deactivating, stop-post, success, pending: deactivating (stop-post) on M"
  })
  void theStateOfTheLastStartDecides(String active, String sub, String result, String verdict) {
    assertThat(
            active(
                snapshot(unit("launched", MACHINE, 2), state("launched", 2, active, sub, result))))
        .isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({"active, running", "failed, failed", "inactive, dead"})
  void theStateOfAnEarlierStartDecidesNothing(String active, String sub) {
    assertThat(
            active(
                snapshot(
                    unit("launched", MACHINE, 2), state("launched", 1, active, sub, "exit-code"))))
        .startsWith("pending: ");
  }

  @Test
  void theStateOfAnotherContentOrMachineDecidesNothing() {
    StateEntity other = state("inc1", "launched", 9, "active", "running", "success", "", "i1");
    assertThat(active(snapshot(unit("launched", MACHINE, 1), other)))
        .isEqualTo("pending: placed on M, not there yet");
    assertThat(
            active(
                snapshot(
                    unit("launched", "another", 1),
                    state("launched", 1, "active", "running", "success"))))
        .isEqualTo("pending: placed on M, not there yet");
  }

  @Test
  void aStartThatSystemdRefusesFails() {
    StateEntity refused =
        state(
            "inc2", "launched", 1, "inactive", "dead", "", "a unit it requires did not start", "");
    assertThat(active(snapshot(unit("launched", MACHINE, 1), refused)))
        .isEqualTo("failed: failed on M: a unit it requires did not start");
  }

  @Test
  void whatTheMachineTriesAgainIsWaitedFor() {
    StateEntity full =
        state(
            "inc2", "inactive", 0, "inactive", "dead", "", "cannot write its file: disk full", "");
    assertThat(active(snapshot(unit("launched", MACHINE, 1), full)))
        .isEqualTo("pending: to be started on M: cannot write its file: disk full");
    assertThat(textOf(new LoadedGoal().judge(snapshot(unit("loaded", MACHINE, 0), full))))
        .isEqualTo("pending: to be loaded on M: cannot write its file: disk full");
  }

  @Test
  void aUnitThatSystemdDidNotRunIsToldSo() {
    StateEntity skipped = state("inc2", "launched", 1, "inactive", "dead", "success", "", "");
    assertThat(active(snapshot(unit("launched", MACHINE, 1), skipped)))
        .startsWith("reached: launched but was not seen to run");
  }

  @Test
  void aWaitEndsWhenSomebodyElseDecidesOtherwise() {
    assertThat(active(snapshot(unit("inactive", "", 1))))
        .isEqualTo("failed: got the desired state inactive meanwhile by user root");
    assertThat(active(UnitSnapshot.NOTHING)).isEqualTo("failed: was destroyed meanwhile");
    assertThat(stopped(snapshot(unit("launched", MACHINE, 2))))
        .isEqualTo("failed: got the desired state launched meanwhile by user root");
  }

  @ParameterizedTest
  @CsvSource({
    "launched, active, reached: launched",
    "launched, activating, pending: activating (sub) on M",
    "launched, failed, unsure: failed: failed on M",
    "launched, inactive, unsure: reached: launched",
    "loaded, active, pending: to be started on M"
  })
  void fleet1SaysTooLittleToBeSureOfEveryEnd(String current, String active, String verdict) {
    assertThat(active(old("launched", current, active))).isEqualTo(verdict);
  }

  @Test
  void loadedIsWhatSystemdKnows() {
    UnitSnapshot known =
        snapshot(unit("loaded", MACHINE, 0), state("loaded", 0, "inactive", "dead", "success"));
    assertThat(textOf(new LoadedGoal().judge(known))).isEqualTo("reached: loaded");
    assertThat(textOf(new LoadedGoal().judge(snapshot(waiting("x", false)))))
        .startsWith("failed: got the desired state launched");
  }

  @Test
  void stoppedIsWhenTheProcessHasEnded() {
    assertThat(
            stopped(
                snapshot(
                    unit("loaded", MACHINE, 1),
                    state("launched", 1, "deactivating", "stop-sigterm", "success"))))
        .isEqualTo("pending: deactivating (stop-sigterm) on M");
    assertThat(
            stopped(
                snapshot(
                    unit("loaded", MACHINE, 1), state("loaded", 0, "inactive", "dead", "success"))))
        .isEqualTo("reached: loaded");
    assertThat(
            stopped(
                snapshot(
                    unit("loaded", MACHINE, 1), state("loaded", 0, "failed", "failed", "timeout"))))
        .isEqualTo("reached: loaded");
  }

  @Test
  void nothingIsStoppedOnAMachineThatSaysNothing() {
    assertThat(stopped(snapshot(unit("loaded", MACHINE, 1))))
        .isEqualTo("pending: to be stopped on M, which says nothing of it");
    assertThat(stopped(snapshot(unit("loaded", "", 1)))).isEqualTo("reached: loaded");
  }

  @Test
  void aStopIsOverAlsoWhereSystemdStartedTheUnitAgain() {
    StateEntity again = state("inc2", "loaded", 0, "active", "running", "success", "", "i2");
    assertThat(stopped(snapshot(unit("loaded", MACHINE, 1), again)))
        .startsWith("reached: loaded but was stopped, and started again by systemd");
  }

  @Test
  void inactiveIsWhenNoMachineHasItAnyMore() {
    InactiveGoal goal = new InactiveGoal();
    assertThat(
            textOf(
                goal.judge(
                    snapshot(
                        unit("inactive", "", 1),
                        state("loaded", 0, "inactive", "dead", "success")))))
        .isEqualTo("pending: inactive (dead) on M");
    assertThat(textOf(goal.judge(snapshot(unit("inactive", MACHINE, 1)))))
        .isEqualTo("pending: to be unloaded on M");
    assertThat(textOf(goal.judge(snapshot(unit("inactive", "", 1)))))
        .isEqualTo("reached: inactive");
  }

  @Test
  void goneIsWhenNoMachineHasThatContentAnyMore() {
    GoneGoal goal = gone("inc2");
    StateEntity running = state("launched", 1, "deactivating", "stop-sigterm", "success");
    assertThat(textOf(goal.judge(snapshot(unit("launched", MACHINE, 1))))).startsWith("pending: ");
    assertThat(textOf(goal.judge(UnitSnapshot.NOTHING.withState(running))))
        .isEqualTo("pending: deactivating (stop-sigterm) on M");
    assertThat(textOf(goal.judge(UnitSnapshot.NOTHING))).isEqualTo("reached: destroyed");
    assertThat(textOf(gone("inc1").judge(snapshot(unit("launched", MACHINE, 1), running))))
        .as("the name was submitted again meanwhile")
        .isEqualTo("reached: destroyed");
  }

  @Test
  void nothingIsGoneBeforeAMachineThatSaysNothingOfItHasGivenItUp() {
    GoneGoal goal = gone("inc2");
    UnitSnapshot started = new UnitSnapshot(Optional.empty(), List.of(), MACHINE);
    assertThat(textOf(goal.judge(started))).isEqualTo("pending: to be stopped on M");
    assertThat(textOf(goal.judge(started.withoutPlace()))).isEqualTo("reached: destroyed");
    StateEntity running = state("launched", 1, "deactivating", "stop-sigterm", "success");
    UnitSnapshot silent = started.withState(running).withoutState(MACHINE);
    assertThat(textOf(goal.judge(silent)))
        .as("the machine may have gone away with the process")
        .isEqualTo("pending: to be stopped on M");
    assertThat(textOf(goal.judge(silent.withoutPlace()))).isEqualTo("reached: destroyed");
    assertThat(textOf(new GoneGoal("inc2", "", true).judge(silent)))
        .as("no machine is given a global unit by name")
        .isEqualTo("reached: destroyed");
    assertThat(textOf(goal.judge(started.withUnit(unit("launched", MACHINE, 1)))))
        .as("it is still to be destroyed")
        .startsWith("pending: to be destroyed");
  }

  @Test
  void nothingIsOverOnAMachineThatIsNotThereAndKeepsTheUnit() {
    String why = "machine M has not reported yet";
    assertThat(stopped(snapshot(kept("loaded", why))))
        .isEqualTo("pending: to be stopped on M: " + why);
    assertThat(textOf(new InactiveGoal().judge(snapshot(kept("inactive", why)))))
        .isEqualTo("pending: to be unloaded on M: " + why);
    assertThat(textOf(keptWhile(MachinePresence.AWAITED, MACHINE)))
        .isEqualTo("pending: to be stopped on M, which is not there; the leader waits for it");
    assertThat(textOf(keptWhile(MachinePresence.IN_MAINTENANCE, MACHINE)))
        .isEqualTo("pending: to be stopped on M, which is in maintenance");
    assertThat(textOf(keptWhile(MachinePresence.PRESENT, MACHINE)))
        .isEqualTo("pending: to be stopped on M");
    assertThat(textOf(keptWhile(MachinePresence.PRESENT, ""))).isEqualTo("reached: destroyed");
  }

  @Test
  void aMachineThatIsNotWaitedForMayRunWhatIsDestroyed() {
    for (MachinePresence presence : List.of(MachinePresence.AWAY, MachinePresence.LOST)) {
      for (String unreportedOn : List.of(MACHINE, "")) {
        assertThat(textOf(keptWhile(presence, unreportedOn)))
            .startsWith("failed: ")
            .contains("may run on M, which is not there");
      }
    }
    var missed = new UnitSnapshot(Optional.empty(), List.of(), MACHINE);
    assertThat(textOf(gone("inc2").judge(missed.withPresence(MachinePresence.AWAY))))
        .startsWith("failed: ");
    assertThat(textOf(gone("inc2").judge(missed.withPresence(MachinePresence.LOST))))
        .as("the leader gives the unit up in a moment")
        .isEqualTo("pending: to be taken from M, which is lost");
  }

  private static GoneGoal gone(String incarnation) {
    return new GoneGoal(incarnation, "", false);
  }

  /** The verdict about a unit that the machine kept when it was destroyed. */
  private static Verdict keptWhile(MachinePresence presence, String unreportedOn) {
    return new GoneGoal("inc2", MACHINE, false)
        .judge(new UnitSnapshot(Optional.empty(), List.of(), unreportedOn).withPresence(presence));
  }
}
