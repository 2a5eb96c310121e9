package fleet.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.desired.Unit;
import fleet.core.machine.Overcommit;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.Placed;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnknownFields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnitReconciliationTest {

  private static final Optional<String> DRAINED = Optional.of("machine m is drained");

  private static final UnitName NAME = UnitName.of("web.service");
  private static final UnitFile FILE = new UnitFile(List.of());
  private static final KnownUnit.Stored AT_FIRST = new KnownUnit.Stored(1, 0, UnknownFields.NONE);
  private static final Optional<Placed> NOWHERE = Optional.empty();
  private static final Optional<KnownUnit> DESTROYED = Optional.empty();

  @Test
  void anInactiveUnitNeedsNoMachine() {
    assertThat(next(unit("i1", DesiredState.INACTIVE, 0), NOWHERE)).isEqualTo(new Next.None());
  }

  @Test
  void aWantedUnitWithoutMachineGetsOne() {
    assertThat(next(unit("i1", DesiredState.LOADED, 0), NOWHERE)).isEqualTo(new Next.Choose());
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 1), NOWHERE)).isEqualTo(new Next.Choose());
  }

  @Test
  void aPlacedUnitAsWantedIsLeftAlone() {
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 1), placed("i1", Target.LAUNCHED, 1)))
        .isEqualTo(new Next.None());
  }

  @Test
  void aChangedWishReachesTheMachine() {
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", Target.LOADED, 1)))
        .isEqualTo(new Next.Retarget(Target.LAUNCHED, 2));
    assertThat(next(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", Target.LAUNCHED, 1)))
        .isEqualTo(new Next.Retarget(Target.LAUNCHED, 2));
  }

  @Test
  void whatIsNotWantedAnyMoreIsStoppedFirst() {
    Optional<Placed> placed = placed("i1", Target.LAUNCHED, 1);
    assertThat(next(DESTROYED, placed)).isInstanceOf(Next.BeginStopping.class);
    assertThat(next(unit("i1", DesiredState.INACTIVE, 1), placed))
        .isInstanceOf(Next.BeginStopping.class);
    assertThat(next(unit("i2", DesiredState.LAUNCHED, 1), placed))
        .isInstanceOf(Next.BeginStopping.class);
  }

  @Test
  void aMachineThatNoLongerFitsIsLeft() {
    var situation =
        new Situation(
            unit("i1", DesiredState.LAUNCHED, 1),
            placed("i1", Target.LAUNCHED, 1),
            false,
            false,
            false,
            Optional.of("machine m lacks region=eu"),
            Optional.of("machine m is drained"));
    assertThat(UnitReconciliation.next(situation))
        .isEqualTo(new Next.BeginStopping("machine m lacks region=eu"));
  }

  @Test
  void theEntryStaysUntilTheUnitHasLeft() {
    Optional<KnownUnit> wanted = unit("i1", DesiredState.LAUNCHED, 1);
    Optional<Placed> stopping = placed("i1", Target.STOPPING, 1);
    assertThat(next(wanted, stopping)).isEqualTo(new Next.None());
    assertThat(
            UnitReconciliation.next(
                new Situation(wanted, stopping, true, false, false, Optional.empty(), DRAINED)))
        .isInstanceOf(Next.Clear.class);
  }

  @Test
  void aUnitThatMayStayLeavesAMachineThatIsDrainedOnceItsEntrySaysWhatIsWanted() {
    assertThat(drained(placed("i1", Target.LAUNCHED, 2)))
        .isEqualTo(new Next.MoveAway("machine m is drained"));
    assertThat(drained(placed("i1", Target.LAUNCHED, 1))).isInstanceOf(Next.Retarget.class);
    assertThat(drained(placed("i1", Target.STOPPING, 2))).isInstanceOf(Next.None.class);
    assertThat(drained(placed("i0", Target.LAUNCHED, 2))).isInstanceOf(Next.BeginStopping.class);
  }

  private static Next drained(Optional<Placed> placed) {
    return UnitReconciliation.next(
        new Situation(
            unit("i1", DesiredState.LAUNCHED, 2),
            placed,
            false,
            false,
            false,
            Optional.empty(),
            DRAINED));
  }

  @Test
  void aUnitThatAsksSomethingElseNowIsPlacedAnew() {
    Optional<KnownUnit> asks = asking(List.of("Memory=1G"));
    Optional<Placed> without = placed("i1", Target.LAUNCHED, 2);
    assertThat(next(asks, without)).isInstanceOf(Next.BeginStopping.class);
    assertThat(lost(asks, without)).isInstanceOf(Next.Clear.class);
    Optional<Placed> with =
        without.map(placed ->
            new Placed(
                placed.machine(),
                placed.record().withRequire(List.of("Memory=1G")),
                placed.entry()));
    assertThat(next(asks, with)).isInstanceOf(Next.None.class);
    assertThat(next(asking(List.of()), with)).isInstanceOf(Next.BeginStopping.class);
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
    assertThat(lost(unit("i1", DesiredState.LAUNCHED, 2), placed("i1", Target.LAUNCHED, 1)))
        .isInstanceOf(Next.Relocate.class);
  }

  @Test
  void aUnitThatHadEndedOnALostMachineIsNotedToHaveAndThenGoesElsewhereToBeLoaded() {
    assertThat(lostAtItsEnd(unit("i1", DesiredState.LAUNCHED, 1), Target.LAUNCHED))
        .isInstanceOf(Next.NoteEnd.class);
    Optional<KnownUnit> noted =
        unit("i1", DesiredState.LAUNCHED, 1, new KnownUnit.Stored(2, 1, UnknownFields.NONE));
    assertThat(lostAtItsEnd(noted, Target.LOADED)).isInstanceOf(Next.Relocate.class);
    assertThat(next(noted, placed("i1", Target.LOADED, 1))).isEqualTo(new Next.None());
  }

  @Test
  void aUnitThatHadEndedRunsOnceMoreWhereAnotherStartIsAskedFor() {
    assertThat(lostAtItsEnd(unit("i1", DesiredState.LAUNCHED, 2), Target.LAUNCHED))
        .isInstanceOf(Next.Relocate.class);
    Optional<KnownUnit> again =
        unit("i1", DesiredState.LAUNCHED, 2, new KnownUnit.Stored(2, 1, UnknownFields.NONE));
    assertThat(next(again, placed("i1", Target.LOADED, 1)))
        .isEqualTo(new Next.Retarget(Target.LAUNCHED, 2));
  }

  @Test
  void aUnitThatEndedBeforeItWasStoppedIsNotedToHaveAndThenItsEntryGoes() {
    Optional<Placed> stopping = placed("i1", Target.STOPPING, 1);
    assertThat(leftAtItsEnd(unit("i1", DesiredState.LAUNCHED, 1), stopping))
        .isInstanceOf(Next.NoteEnd.class);
    Optional<KnownUnit> noted =
        unit("i1", DesiredState.LAUNCHED, 1, new KnownUnit.Stored(2, 1, UnknownFields.NONE));
    assertThat(leftAtItsEnd(noted, stopping)).isInstanceOf(Next.Clear.class);
    assertThat(leftAtItsEnd(unit("i1", DesiredState.LAUNCHED, 2), stopping))
        .isInstanceOf(Next.Clear.class);
    assertThat(leftAtItsEnd(unit("i2", DesiredState.LAUNCHED, 1), stopping))
        .isInstanceOf(Next.Clear.class);
    assertThat(leftAtItsEnd(DESTROYED, stopping)).isInstanceOf(Next.Clear.class);
  }

  private static Next leftAtItsEnd(Optional<KnownUnit> known, Optional<Placed> placed) {
    return UnitReconciliation.next(
        new Situation(known, placed, true, false, true, Optional.empty(), DRAINED));
  }

  private static Next lostAtItsEnd(Optional<KnownUnit> known, Target target) {
    return UnitReconciliation.next(
        new Situation(
            known, placed("i1", target, 1), false, true, true, Optional.empty(), Optional.empty()));
  }

  @Test
  void whatIsNotWantedOnALostMachineGoesAtOnce() {
    Optional<Placed> launched = placed("i1", Target.LAUNCHED, 1);
    assertThat(lost(DESTROYED, launched)).isInstanceOf(Next.Clear.class);
    assertThat(lost(unit("i2", DesiredState.LAUNCHED, 1), launched)).isInstanceOf(Next.Clear.class);
    assertThat(lost(unit("i1", DesiredState.INACTIVE, 1), launched)).isInstanceOf(Next.Clear.class);
    assertThat(lost(unit("i1", DesiredState.LAUNCHED, 1), placed("i1", Target.STOPPING, 1)))
        .isInstanceOf(Next.Clear.class);
  }

  private static Next lost(Optional<KnownUnit> known, Optional<Placed> placed) {
    return UnitReconciliation.next(
        new Situation(known, placed, false, true, false, Optional.empty(), DRAINED));
  }

  private static Next next(Optional<KnownUnit> known, Optional<Placed> placed) {
    return UnitReconciliation.next(
        new Situation(known, placed, false, false, false, Optional.empty(), Optional.empty()));
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

  private static Optional<Placed> placed(String incarnation, Target target, long counter) {
    var id = new Incarnation(incarnation);
    return Optional.of(
        new Placed(
            "m",
            new ScheduleRecord(id, "sha", "hash", target, counter),
            new ScheduleEntry(
                NAME, id, FILE, target, counter, false, 1, Overcommit.NONE, List.of())));
  }
}
