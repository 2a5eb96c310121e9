package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Mark;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalUnitTest {

  private static final Duration REST = Duration.ofSeconds(10);
  private static final ScheduleEntry ENTRY =
      new ScheduleEntry(
          UnitName.of("job.service"),
          new Incarnation("i1"),
          new UnitFile(List.of()),
          TargetState.LAUNCHED,
          3,
          false,
          1,
          Overcommit.NONE,
          List.of());

  @Test
  void whatHasBeenInactiveForLongEnoughHasEnded() {
    LocalUnit unit = started();
    unit.systemd(state("inactive", 1), seconds(5));
    assertThat(unit.hasEnded(REST, seconds(14))).isFalse();
    assertThat(unit.hasEnded(REST, seconds(15))).isTrue();
  }

  @Test
  void anotherRunThatWasNotSeenBeginsAgain() {
    LocalUnit unit = started();
    unit.systemd(state("inactive", 1), seconds(5));
    unit.systemd(state("inactive", 2), seconds(12));
    assertThat(unit.hasEnded(REST, seconds(15))).isFalse();
  }

  @Test
  void whatRunsOrHasFailedOrNeverRanHasNotEnded() {
    LocalUnit unit = started();
    assertThat(unit.hasEnded(REST, seconds(100))).isFalse();
    unit.systemd(state("active", 1), seconds(5));
    assertThat(unit.hasEnded(REST, seconds(100))).isFalse();
    unit.systemd(state("failed", 2), seconds(5));
    assertThat(unit.hasEnded(REST, seconds(100))).isFalse();
  }

  @Test
  void whatIsStoppedByFleetHasNotEnded() {
    LocalUnit unit = started();
    unit.systemd(state("inactive", 1), seconds(5));
    unit.mark(unit.mark().stopped());
    assertThat(unit.hasEnded(REST, seconds(100))).isFalse();
  }

  @Test
  void anEndThatIsKeptIsToldWhateverIsDoneAboutTheUnit() {
    LocalUnit unit = started();
    unit.systemd(state("inactive", 1), seconds(5));
    unit.keepEnd("m1");
    unit.mark(unit.mark().stopped());
    unit.forgetStart();
    UnitState told = unit.news("m1").orElseThrow();
    assertThat(told.performed()).isEqualTo(DesiredState.LAUNCHED);
    assertThat(told.restartCounter()).isEqualTo(3);
    unit.reportAgain();
    assertThat(unit.news("m1")).contains(told);
  }

  @Test
  void aUnitThatIsGivenUpIsNeverAgainSaidToBeOfItsLastStart() {
    LocalUnit unit = started();
    unit.systemd(state("active", 1), seconds(5));
    unit.giveUp();
    unit.systemd(state("inactive", 2), seconds(6));
    assertThat(unit.isStartSettled()).isTrue();
    unit.startSettled();
    assertThat(unit.news("m1").orElseThrow().restartCounter()).isZero();
  }

  private static LocalUnit started() {
    var unit = new LocalUnit(Mark.placing(ENTRY).placed().starting(3, "abc").startTaken());
    unit.startSettled();
    return unit;
  }

  private static SystemdState state(String active, long since) {
    return new SystemdState(
        "loaded", active, "", "success", "abc", 0, Instant.ofEpochSecond(since));
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }
}
