package fleet.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

  private static final Incarnation FIRST = new Incarnation("first");
  private static final Incarnation SECOND = new Incarnation("second");

  @Test
  void nothingWantedAndNothingHereIsPeace() {
    assertThat(Reconciliation.next(Optional.empty(), Optional.empty())).isEqualTo(new Step.None());
  }

  @Test
  void aUnitThatIsNotHereIsPlacedBeforeItIsStarted() {
    ScheduleEntry wanted = wanted(TargetState.LAUNCHED, 1);
    assertThat(next(wanted, Optional.empty())).isEqualTo(new Step.Place(wanted));
    assertThat(next(wanted, loaded(FIRST))).isEqualTo(new Step.Start(1));
    assertThat(next(wanted, started(FIRST, 1))).isEqualTo(new Step.None());
  }

  @Test
  void aLoadedUnitIsPlacedAndNotStarted() {
    ScheduleEntry wanted = wanted(TargetState.LOADED, 0);
    assertThat(next(wanted, Optional.empty())).isEqualTo(new Step.Place(wanted));
    assertThat(next(wanted, loaded(FIRST))).isEqualTo(new Step.None());
  }

  @Test
  void anotherStartCommandStartsAgainOnce() {
    assertThat(next(wanted(TargetState.LAUNCHED, 2), started(FIRST, 1)))
        .isEqualTo(new Step.Restart(2));
    assertThat(next(wanted(TargetState.LAUNCHED, 2), started(FIRST, 2))).isEqualTo(new Step.None());
  }

  @Test
  void anOlderCounterThanTheOneCarriedOutStartsNothing() {
    assertThat(next(wanted(TargetState.LAUNCHED, 1), started(FIRST, 2))).isEqualTo(new Step.None());
  }

  @Test
  void aStartedUnitThatIsToBeLoadedIsStopped() {
    assertThat(next(wanted(TargetState.LOADED, 1), started(FIRST, 1))).isEqualTo(new Step.Stop());
  }

  @Test
  void anotherIncarnationGoesBeforeTheNewOneComes() {
    assertThat(next(wanted(TargetState.LAUNCHED, 1), started(SECOND, 7)))
        .isInstanceOf(Step.Remove.class);
  }

  @Test
  void whatIsNoLongerScheduledIsRemoved() {
    assertThat(Reconciliation.next(Optional.empty(), loaded(FIRST)))
        .isInstanceOf(Step.Remove.class);
  }

  @Test
  void aUnitToldToStopIsRemovedAndThenReportedGone() {
    assertThat(next(wanted(TargetState.STOPPING, 1), started(FIRST, 1)))
        .isInstanceOf(Step.Remove.class);
    assertThat(next(wanted(TargetState.STOPPING, 1), Optional.empty()))
        .isEqualTo(new Step.ReportGone(wanted(TargetState.STOPPING, 1)));
  }

  private static Step next(ScheduleEntry wanted, Optional<Presence> present) {
    return Reconciliation.next(Optional.of(wanted), present);
  }

  private static Optional<Presence> loaded(Incarnation incarnation) {
    return Optional.of(new Presence(incarnation, OptionalLong.empty()));
  }

  private static Optional<Presence> started(Incarnation incarnation, long counter) {
    return Optional.of(new Presence(incarnation, OptionalLong.of(counter)));
  }

  private static ScheduleEntry wanted(TargetState target, long counter) {
    return new ScheduleEntry(
        UnitName.of("web.service"),
        FIRST,
        new UnitFile(List.of()),
        target,
        counter,
        false,
        1,
        Overcommit.NONE,
        List.of());
  }
}
