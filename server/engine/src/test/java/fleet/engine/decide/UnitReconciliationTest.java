package fleet.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.desired.Unit;
import fleet.core.machine.Overcommit;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnknownFields;
import fleet.scheduler.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnitReconciliationTest {

  private static final Optional<String> DRAINED = Optional.of("machine m is drained");

  private static final UnitName NAME = UnitName.of("web.service");
  private static final UnitFile FILE = new UnitFile(List.of());
  private static final KnownUnit.Stored AT_FIRST =
      new KnownUnit.Stored(1, 0, "", "", "", 0, UnknownFields.NONE);
  private static final Optional<ScheduledUnit> NOWHERE = Optional.empty();
  private static final Optional<KnownUnit> DESTROYED = Optional.empty();

  @Test
  void anInactiveUnitNeedsNoMachine() {
    assertThat(next(unit("i1", DesiredState.INACTIVE, 0), NOWHERE)).isEqualTo(new NextStep.None());
  }

  @Test
  void aWantedUnitWithoutMachineGetsOne() {
    assertThat(next(unit("i1", DesiredState.LOADED, 0), NOWHERE)).isEqualTo(new NextStep.Choose());
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 1), NOWHERE))
        .isEqualTo(new NextStep.Choose());
  }

  @Test
  void aPlacedUnitAsWantedIsLeftAlone() {
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 1), placed("i1", TargetState.LAUNCHED, 1)))
        .isEqualTo(new NextStep.None());
  }

  @Test
  void aChangedWishReachesTheMachine() {
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", TargetState.LOADED, 1)))
        .isEqualTo(new NextStep.Retarget(TargetState.LAUNCHED, 2));
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", TargetState.LAUNCHED, 1)))
        .isEqualTo(new NextStep.Retarget(TargetState.LAUNCHED, 2));
  }

  @Test
  void whatIsNotWantedAnyMoreIsStoppedFirst() {
    Optional<ScheduledUnit> placed = placed("i1", TargetState.LAUNCHED, 1);
    assertThat(next(DESTROYED, placed)).isInstanceOf(NextStep.BeginStopping.class);
    assertThat(next(unit("i1", DesiredState.INACTIVE, 1), placed))
        .isInstanceOf(NextStep.BeginStopping.class);
    assertThat(next(unit("i2", DesiredState.LAUNCHED, 1), placed))
        .isInstanceOf(NextStep.BeginStopping.class);
  }

  @Test
  void aNewContentThatFitsWhereTheUnitIsTakesThePlaceOfTheEarlier() {
    var here = new Decision.Placed("m", "it fits", Set.of());
    Optional<KnownUnit> replaced = unit("i2", DesiredState.LAUNCHED, 1);
    for (TargetState target : List.of(TargetState.LAUNCHED, TargetState.LOADED)) {
      assertThat(replaced(replaced, placed("i1", target, 1), false, false, here))
          .isEqualTo(new NextStep.ReplaceInPlace(here));
    }
    Optional<ScheduledUnit> launched = placed("i1", TargetState.LAUNCHED, 1);
    assertThat(replaced(replaced, placed("i1", TargetState.STOPPING, 1), false, false, here))
        .isEqualTo(new NextStep.None());
    assertThat(replaced(replaced, launched, true, false, here)).isInstanceOf(NextStep.Clear.class);
    assertThat(replaced(replaced, launched, false, true, here)).isInstanceOf(NextStep.Clear.class);
  }

  private static NextStep replaced(
      Optional<KnownUnit> known,
      Optional<ScheduledUnit> placed,
      boolean reportedGone,
      boolean lost,
      Decision.Placed inPlace) {
    return UnitReconciliation.next(
        new UnitSituation(
            known,
            placed,
            reportedGone,
            lost,
            false,
            Optional.empty(),
            Optional.of(inPlace),
            Optional.empty()));
  }

  @Test
  void aMachineThatNoLongerFitsIsLeft() {
    var situation =
        new UnitSituation(
            unit("i1", DesiredState.LAUNCHED, 1),
            placed("i1", TargetState.LAUNCHED, 1),
            false,
            false,
            false,
            Optional.of("machine m lacks region=eu"),
            Optional.empty(),
            Optional.of("machine m is drained"));
    assertThat(UnitReconciliation.next(situation))
        .isEqualTo(new NextStep.BeginStopping("machine m lacks region=eu"));
  }

  @Test
  void theEntryStaysUntilTheUnitHasLeft() {
    Optional<KnownUnit> wanted = unit("i1", DesiredState.LAUNCHED, 1);
    Optional<ScheduledUnit> stopping = placed("i1", TargetState.STOPPING, 1);
    assertThat(next(wanted, stopping)).isEqualTo(new NextStep.None());
    assertThat(
            UnitReconciliation.next(
                new UnitSituation(
                    wanted,
                    stopping,
                    true,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    DRAINED)))
        .isInstanceOf(NextStep.Clear.class);
  }

  @Test
  void aUnitThatMayStayLeavesAMachineThatIsDrainedOnceItsEntrySaysWhatIsWanted() {
    assertThat(drained(placed("i1", TargetState.LAUNCHED, 2)))
        .isEqualTo(new NextStep.MoveAway("machine m is drained"));
    assertThat(drained(placed("i1", TargetState.LAUNCHED, 1)))
        .isInstanceOf(NextStep.Retarget.class);
    assertThat(drained(placed("i1", TargetState.STOPPING, 2))).isInstanceOf(NextStep.None.class);
    assertThat(drained(placed("i0", TargetState.LAUNCHED, 2)))
        .isInstanceOf(NextStep.BeginStopping.class);
  }

  private static NextStep drained(Optional<ScheduledUnit> placed) {
    return UnitReconciliation.next(
        new UnitSituation(
            unit("i1", DesiredState.LAUNCHED, 2),
            placed,
            false,
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            DRAINED));
  }

  @Test
  void aUnitThatAsksSomethingElseNowIsPlacedAgain() {
    Optional<KnownUnit> asks = asking(List.of("Memory=1G"));
    Optional<ScheduledUnit> without = placed("i1", TargetState.LAUNCHED, 2);
    assertThat(next(asks, without)).isInstanceOf(NextStep.BeginStopping.class);
    assertThat(lost(asks, without)).isInstanceOf(NextStep.Clear.class);
    Optional<ScheduledUnit> with =
        without.map(placed ->
            new ScheduledUnit(
                placed.machine(),
                placed.record().withRequire(List.of("Memory=1G")),
                placed.entry()));
    assertThat(next(asks, with)).isInstanceOf(NextStep.None.class);
    assertThat(next(asking(List.of()), with)).isInstanceOf(NextStep.BeginStopping.class);
  }

  private static Optional<KnownUnit> asking(List<String> require) {
    Unit unit =
        new Unit(
            NAME,
            new Incarnation("i1"),
            FILE,
            DesiredState.LAUNCHED,
            2,
            "test",
            Instant.EPOCH,
            require);
    return Optional.of(new KnownUnit(unit, "sha", Requirements.of(NAME, FILE, require), AT_FIRST));
  }

  @Test
  void aUnitOfALostMachineLooksForAnother() {
    assertThat(lost(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", TargetState.LAUNCHED, 1)))
        .isInstanceOf(NextStep.Relocate.class);
  }

  @Test
  void aUnitThatHadEndedOnALostMachineIsNotedToHaveAndThenGoesElsewhereToBeLoaded() {
    assertThat(lostAtItsEnd(unit("i1", DesiredState.LAUNCHED, 1), TargetState.LAUNCHED))
        .isInstanceOf(NextStep.NoteEnd.class);
    Optional<KnownUnit> noted =
        unit(
            "i1",
            DesiredState.LAUNCHED,
            1,
            new KnownUnit.Stored(2, 1, "", "", "", 0, UnknownFields.NONE));
    assertThat(lostAtItsEnd(noted, TargetState.LOADED)).isInstanceOf(NextStep.Relocate.class);
    assertThat(next(noted, placed("i1", TargetState.LOADED, 1))).isEqualTo(new NextStep.None());
  }

  @Test
  void aUnitThatHadEndedRunsOnceMoreWhereAnotherStartIsAskedFor() {
    assertThat(lostAtItsEnd(unit("i1", DesiredState.LAUNCHED, 2), TargetState.LAUNCHED))
        .isInstanceOf(NextStep.Relocate.class);
    Optional<KnownUnit> again =
        unit(
            "i1",
            DesiredState.LAUNCHED,
            2,
            new KnownUnit.Stored(2, 1, "", "", "", 0, UnknownFields.NONE));
    assertThat(next(again, placed("i1", TargetState.LOADED, 1)))
        .isEqualTo(new NextStep.Retarget(TargetState.LAUNCHED, 2));
  }

  @Test
  void aUnitThatEndedBeforeItWasStoppedIsNotedToHaveAndThenItsEntryGoes() {
    Optional<ScheduledUnit> stopping = placed("i1", TargetState.STOPPING, 1);
    assertThat(leftAtItsEnd(unit("i1", DesiredState.LAUNCHED, 1), stopping))
        .isInstanceOf(NextStep.NoteEnd.class);
    Optional<KnownUnit> noted =
        unit(
            "i1",
            DesiredState.LAUNCHED,
            1,
            new KnownUnit.Stored(2, 1, "", "", "", 0, UnknownFields.NONE));
    assertThat(leftAtItsEnd(noted, stopping)).isInstanceOf(NextStep.Clear.class);
    assertThat(leftAtItsEnd(unit("i1", DesiredState.LAUNCHED, 2), stopping))
        .isInstanceOf(NextStep.Clear.class);
    assertThat(leftAtItsEnd(unit("i2", DesiredState.LAUNCHED, 1), stopping))
        .isInstanceOf(NextStep.Clear.class);
    assertThat(leftAtItsEnd(DESTROYED, stopping)).isInstanceOf(NextStep.Clear.class);
  }

  private static NextStep leftAtItsEnd(Optional<KnownUnit> known, Optional<ScheduledUnit> placed) {
    return UnitReconciliation.next(
        new UnitSituation(
            known, placed, true, false, true, Optional.empty(), Optional.empty(), DRAINED));
  }

  private static NextStep lostAtItsEnd(Optional<KnownUnit> known, TargetState target) {
    return UnitReconciliation.next(
        new UnitSituation(
            known,
            placed("i1", target, 1),
            false,
            true,
            true,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void whatIsNotWantedOnALostMachineGoesAtOnce() {
    Optional<ScheduledUnit> launched = placed("i1", TargetState.LAUNCHED, 1);
    assertThat(lost(DESTROYED, launched)).isInstanceOf(NextStep.Clear.class);
    assertThat(lost(unit("i2", DesiredState.LAUNCHED, 1), launched))
        .isInstanceOf(NextStep.Clear.class);
    assertThat(lost(unit("i1", DesiredState.INACTIVE, 1), launched))
        .isInstanceOf(NextStep.Clear.class);
    assertThat(lost(unit("i1", DesiredState.LAUNCHED, 1), placed("i1", TargetState.STOPPING, 1)))
        .isInstanceOf(NextStep.Clear.class);
  }

  private static NextStep lost(Optional<KnownUnit> known, Optional<ScheduledUnit> placed) {
    return UnitReconciliation.next(
        new UnitSituation(
            known, placed, false, true, false, Optional.empty(), Optional.empty(), DRAINED));
  }

  private static NextStep next(Optional<KnownUnit> known, Optional<ScheduledUnit> placed) {
    return UnitReconciliation.next(
        new UnitSituation(
            known,
            placed,
            false,
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  private static Optional<KnownUnit> unit(String incarnation, DesiredState desired, long counter) {
    return unit(incarnation, desired, counter, AT_FIRST);
  }

  private static Optional<KnownUnit> unit(
      String incarnation, DesiredState desired, long counter, KnownUnit.Stored stored) {
    Unit unit =
        new Unit(
            NAME,
            new Incarnation(incarnation),
            FILE,
            desired,
            counter,
            "test",
            Instant.EPOCH,
            List.of());
    return Optional.of(new KnownUnit(unit, "sha", Requirements.of(NAME, FILE), stored));
  }

  private static Optional<ScheduledUnit> placed(
      String incarnation, TargetState target, long counter) {
    var id = new Incarnation(incarnation);
    return Optional.of(
        new ScheduledUnit(
            "m",
            new ScheduleRecord(id, "sha", "hash", target, counter),
            new ScheduleEntry(
                NAME, id, FILE, target, counter, false, 1, Overcommit.NONE, List.of())));
  }
}
