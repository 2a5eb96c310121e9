package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Units leave a machine that is drained, one after the other, and only for a place. */
class DrainTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName FIRST = UnitName.of("web@1.service");
  private static final UnitName SECOND = UnitName.of("web@2.service");

  @Test
  void aUnitIsStoppedHereBeforeItIsStartedThereAndTheDrainIsToldOf() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, WEB, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.operation(OperationId.drain("m1"))).isEmpty();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
      assertThat(cluster.drain("m1", 1, new Caller("user b"))).isFalse();
      Entry leaving = m1.awaitTarget(WEB, TargetState.STOPPING);
      assertThat(ScheduleRecord.of(leaving).next()).isEqualTo("m2");
      await(() -> standings("m1").contains(Standing.LEAVING));
      assertThat(units("m1"))
          .containsExactly(
              new Step(
                  WEB, Standing.LEAVING, "m1", "m2", "machine m1 is drained, as user a asked"));
      assertThat(cluster.machines().getFirst().drained()).isFalse();
      assertThat(registry.get(Keys.schedule("m2", WEB))).isEmpty();

      m1.gone(leaving);
      m2.awaitTarget(WEB, TargetState.LAUNCHED);
      String why = "machine m1 is drained, as user a asked";
      assertThat(
              LedCluster.eventsUpTo(
                  events, new Event.Body(Event.Kind.LEAVING, Subject.of(WEB, "m1"), Cause.of(why))))
          .contains(
              Event.Body.of(
                  OperationId.drain("m1"), new Cause("user a", "began: at most 1 down at a time")));
    }
    assertThat(cluster.machines().getFirst().cordoned()).isTrue();
    assertThat(cluster.machines().getFirst().drain().orElseThrow().by()).isEqualTo("user a");
    assertThat(units("m1")).isEmpty();
    assertThat(cluster.machines()).extracting(MachineView::drained).containsExactly(true, false);
    assertThat(cluster.machines()).extracting(MachineView::units).containsExactly(0, 1);

    assertThat(cluster.cordon("m1", false, CALLER)).isTrue();
    assertThat(cluster.machines().getFirst().drained()).isFalse();
    assertThat(cluster.operation(OperationId.drain("m1"))).isEmpty();
    assertThat(placeOf(WEB)).isEqualTo("m2");
  }

  @Test
  void aUnitGoesWhereItWasToldToGoThoughAnotherMachineWouldBeChosenByNow() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, WEB, "");
    StoredMachine m2 = machine("m2");
    running(m2, FIRST, "MachineID=m2");
    cluster.drain("m1", 1, CALLER);
    Entry leaving = m1.awaitTarget(WEB, TargetState.STOPPING);
    assertThat(ScheduleRecord.of(leaving).next()).isEqualTo("m2");
    machine("m3");
    await(() -> cluster.machines().size() == 3);
    m1.gone(leaving);
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aUnitGoesElsewhereWhereTheMachineThatItWasToGoToIsNoneForItAnyMore() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, WEB, "");
    StoredMachine m2 = machine("m2");
    cluster.drain("m1", 1, CALLER);
    Entry leaving = m1.awaitTarget(WEB, TargetState.STOPPING);
    StoredMachine m3 = machine("m3");
    m2.silent();
    await(() -> cluster.machines().size() == 2);
    m1.gone(leaving);
    m3.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  /** Nobody sees it fail there. */
  @Test
  void anInstanceOnAnAbsentMachineInMaintenanceCountsAsDown() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, FIRST, "");
    StoredMachine m2 = machine("m2");
    running(m2, SECOND, "MachineID=m2");
    machine("m3");
    await(() -> cluster.machines().size() == 3);
    cluster.maintain("m2", Duration.ofMinutes(30), CALLER);
    m2.silent();
    await(() -> cluster.machines().size() == 2);
    cluster.drain("m1", 1, CALLER);
    await(() -> !units("m1").isEmpty() && !units("m1").getFirst().detail().isEmpty());
    assertThat(units("m1").getFirst().detail())
        .contains("at most 1 of its instances may be down")
        .contains("web@2.service is on machine m2, which is away");
    Entry second = registry.get(Keys.schedule("m2", SECOND)).orElseThrow();
    m2.present(Map.of(), Isolation.KEEP).running(second);
    m1.awaitTarget(FIRST, TargetState.STOPPING);
  }

  @Test
  void ofAFamilyTheNextLeavesOnceTheOneBeforeIsActiveElsewhere() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, FIRST, "");
    running(m1, SECOND, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() -> standings("m1").contains(Standing.LEAVING));
    assertThat(standings("m1")).containsExactlyInAnyOrder(Standing.LEAVING, Standing.WAITS);
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    assertThat(whyOf(other))
        .isEqualTo(
            "at most 1 of its instances may be down at a time: " + one + " is leaving machine m1");
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    Entry there = m2.awaitTarget(one, TargetState.LAUNCHED);
    await(() -> whyOf(other).endsWith(one + " is being started on machine m2"));
    m2.activating(there);
    await(() -> whyOf(other).endsWith(one + " is activating on machine m2"));
    m1.awaitTarget(other, TargetState.LAUNCHED);
    m2.running(there);
    m1.gone(m1.awaitTarget(other, TargetState.STOPPING));
    m2.awaitTarget(other, TargetState.LAUNCHED);
  }

  @Test
  void oneThatIsPausedLetsNothingLeaveUntilItGoesOn() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, FIRST, "");
    running(m1, SECOND, "");
    StoredMachine m2 = machine("m2");
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.UNKNOWN);
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() -> standings("m1").contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.CHANGED);
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.ALREADY);
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    m2.running(m2.awaitTarget(one, TargetState.LAUNCHED));
    await(() -> whyOf(other).equals("the drain is paused"));
    m1.awaitTarget(other, TargetState.LAUNCHED);
    assertThat(cluster.operations().getFirst().operation().paused()).isTrue();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(change(OperationChange.RESUME)).isEqualTo(OperationChanged.CHANGED);
      var goesOn = Event.Body.of(OperationId.drain("m1"), new Cause("user a", "is resumed"));
      assertThat(LedCluster.eventsUpTo(events, goesOn)).contains(goesOn);
    }
    m1.gone(m1.awaitTarget(other, TargetState.STOPPING));
    m2.running(m2.awaitTarget(other, TargetState.LAUNCHED));
  }

  @Test
  void whoCancelsItUncordonsTheMachine() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, WEB, "");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() -> standings("m1").equals(List.of(Standing.STAYS)));
    OperationProgress progress = cluster.operations().getFirst();
    assertThat(progress.operation().id().text()).isEqualTo("drain-m1");
    assertThat(progress.operation().stage()).isEqualTo(Stage.FORWARD);
    assertThat(progress.waitsFor()).startsWith(WEB + ": ");
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(change(OperationChange.CANCEL)).isEqualTo(OperationChanged.CHANGED);
      Event.Body uncordoned =
          Event.Body.of(Event.Command.UNCORDONED, Subject.of("m1"), Cause.by("user a"));
      assertThat(LedCluster.eventsUpTo(events, uncordoned)).contains(uncordoned);
    }
    assertThat(cluster.operations()).isEmpty();
    assertThat(cluster.machines().getFirst().cordoned()).isFalse();
    assertThat(change(OperationChange.CANCEL)).isEqualTo(OperationChanged.UNKNOWN);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  private OperationChanged change(OperationChange change) {
    return cluster.change(OperationId.drain("m1"), change, CALLER);
  }

  @Test
  void asManyAsMayBeLeaveAtATime() throws Exception {
    StoredMachine m1 = machine("m1");
    for (int i = 1; i <= 5; i++) {
      running(m1, UnitName.of("web@" + i + ".service"), "");
    }
    machine("m2");
    assertThat(cluster.drain("m1", 2, CALLER)).isTrue();
    await(() -> standings("m1").stream().filter(Standing.LEAVING::equals).count() == 2);
    assertThat(standings("m1").stream().filter(Standing.WAITS::equals).count()).isEqualTo(3);
  }

  @Test
  void oneThatFailedElsewhereHoldsUpItsFamilyUntilItRuns() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, FIRST, "");
    running(m1, SECOND, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() -> standings("m1").contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    Entry there = m2.awaitTarget(one, TargetState.LAUNCHED);
    m2.failed(there);
    await(() -> standings("m1").equals(List.of(Standing.STAYS)));
    assertThat(units("m1").getFirst().detail()).endsWith(one + " is failed on machine m2");
    m2.running(there);
    m1.awaitTarget(one.equals(FIRST) ? SECOND : FIRST, TargetState.STOPPING);
  }

  @Test
  void thereIsRoomForAllThatLeaveAndWhatFindsNoneStaysUntilThereIsSome() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName a = UnitName.of("a.service");
    UnitName b = UnitName.of("b.service");
    running(m1, a, "Memory=2G");
    running(m1, b, "Memory=2G");
    StoredMachine m2 = withRoomForOne("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() -> standings("m1").contains(Standing.LEAVING));
    assertThat(standings("m1")).containsExactlyInAnyOrder(Standing.LEAVING, Standing.STAYS);
    UnitName stays = with(Standing.STAYS);
    assertThat(whyOf(stays)).contains("memory");
    m1.awaitTarget(stays, TargetState.LAUNCHED);

    // A unit that comes meanwhile does not take the room that is kept.
    var _ = waitsForRoom();
    UnitName goes = with(Standing.LEAVING);
    m1.gone(m1.awaitTarget(goes, TargetState.STOPPING));
    m2.awaitTarget(goes, TargetState.LAUNCHED);

    machine("m3", Map.of("for", "all"), new Resources(4_000, 8L << 30, 0, 0));
    m1.awaitTarget(stays, TargetState.STOPPING);
  }

  private StoredMachine withRoomForOne(String id) throws Exception {
    return machine(id, Map.of(), new Resources(4_000, 3L << 30, 0, 0));
  }

  /** Its machine is drained, and it is to stop there. */
  private Entry leaves(StoredMachine machine, UnitName unit) throws Exception {
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    return machine.awaitTarget(unit, TargetState.STOPPING);
  }

  private UnitName waitsForRoom() throws Exception {
    UnitName late = UnitName.of("late.service");
    launch(late, "Memory=2G");
    awaitView(late, view -> !view.waiting().isEmpty());
    return late;
  }

  @Test
  void theRoomThatWasKeptForAUnitGoesToOneThatWaitsOnceTheUnitDoesNotCome() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName a = UnitName.of("a.service");
    running(m1, a, "Memory=2G");
    StoredMachine m2 = withRoomForOne("m2");
    Entry leaving = leaves(m1, a);
    UnitName late = waitsForRoom();

    assertThat(cluster.destroy(a, CALLER)).isTrue();
    m1.gone(leaving);

    m2.awaitTarget(late, TargetState.LAUNCHED);
  }

  @Test
  void theRoomIsStillKeptUnderTheNextLeaderWhichGoesOn() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName a = UnitName.of("a.service");
    running(m1, a, "Memory=2G");
    StoredMachine m2 = withRoomForOne("m2");
    Entry leaving = leaves(m1, a);
    running(m2, WEB, "");
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    var _ = waitsForRoom();
    m1.gone(leaving);
    m2.awaitTarget(a, TargetState.LAUNCHED);
  }

  @Test
  void noMoreComeToAMachineThanItsFamilyAllowsOrConflictsPermit() throws Exception {
    StoredMachine m1 = machine("m1");
    running(m1, FIRST, "MaxPerMachine=1");
    machine("m2");
    launch(SECOND, "MaxPerMachine=1");
    assertThat(placeOf(SECOND)).isEqualTo("m2");
    UnitName lone = UnitName.of("lone.service");
    running(m1, lone, "Conflicts=web@2.service");
    assertThat(cluster.drain("m1", 2, CALLER)).isTrue();
    await(() -> whyOf(FIRST).contains("1 of web@.service"));
    assertThat(whyOf(lone)).contains("conflicts with web@2.service");
    assertThat(standings("m1")).containsExactly(Standing.STAYS, Standing.STAYS);
  }

  @Test
  void whatHasEndedAndWhatIsGlobalStays() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName job = UnitName.of("job.service");
    launch(job, "");
    m1.ended(m1.awaitTarget(job, TargetState.LAUNCHED));
    UnitName global = UnitName.of("log.service");
    launch(global, "Global=true");
    machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    await(() ->
        units("m1")
            .equals(
                List.of(
                    new Step(
                        job,
                        Standing.EXEMPT,
                        "m1",
                        "",
                        "it has ended, and elsewhere it would run again"),
                    new Step(
                        global, Standing.EXEMPT, "m1", "", "it runs on every machine that fits"))));
    MachineView drained = cluster.machines().getFirst();
    assertThat(drained.drained()).isTrue();
    assertThat(drained.units()).isEqualTo(2);
  }

  @Test
  void whatEndsBeforeItIsStoppedIsLoadedElsewhereAndNotStarted() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName job = UnitName.of("job.service");
    running(m1, job, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();

    m1.goneAfterItsEnd(m1.awaitTarget(job, TargetState.STOPPING));

    assertThat(ScheduleRecord.of(m2.awaitAny(job)).target()).isEqualTo(TargetState.LOADED);
    assertThat(cluster.startAgain(job, CALLER)).isEqualTo(StartResult.ACCEPTED);
    m2.awaitTarget(job, TargetState.LAUNCHED);
  }

  @Test
  void whatEndsBeforeItIsStoppedRunsElsewhereIfAnotherStartWasAskedForMeanwhile() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName job = UnitName.of("job.service");
    running(m1, job, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    Entry stopping = m1.awaitTarget(job, TargetState.STOPPING);
    assertThat(cluster.restart(job, CALLER)).isEqualTo(StartResult.ACCEPTED);

    m1.goneAfterItsEnd(stopping);

    m2.awaitTarget(job, TargetState.LAUNCHED);
  }

  @Test
  void aFollowerGoesWithItsPeer() throws Exception {
    StoredMachine m1 = machine("m1");
    UnitName db = UnitName.of("db.service");
    running(m1, db, "");
    running(m1, WEB, "MachineOf=db.service");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.drain("m1", 1, CALLER)).isTrue();
    m1.gone(m1.awaitTarget(db, TargetState.STOPPING));
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    m2.awaitTarget(db, TargetState.LAUNCHED);
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  // ---- means

  private List<Step> units(String machine) {
    return cluster
        .operation(OperationId.drain(machine))
        .map(OperationProgress::steps)
        .orElseThrow();
  }

  private List<Standing> standings(String machine) {
    return units(machine).stream().map(Step::standing).toList();
  }

  private UnitName with(Standing standing) {
    return units("m1").stream()
        .filter(unit -> unit.standing() == standing)
        .findFirst()
        .orElseThrow()
        .unit();
  }

  private String whyOf(UnitName unit) {
    return units("m1").stream()
        .filter(one -> one.unit().equals(unit))
        .findFirst()
        .map(Step::detail)
        .orElse("");
  }

  private StoredMachine machine(String id) {
    return machine(id, Map.of(), Resources.UNKNOWN);
  }

  private StoredMachine machine(String id, Map<String, String> metadata, Resources total) {
    return new StoredMachine(store, registry, id).present(metadata, Isolation.KEEP, total);
  }

  private void running(StoredMachine machine, UnitName unit, String fleet) throws Exception {
    launch(unit, fleet);
    machine.running(machine.awaitTarget(unit, TargetState.LAUNCHED));
  }

  private void launch(UnitName unit, String fleet) {
    try {
      UnitFile file =
          UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
      var _ = cluster.put(unit, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private String placeOf(UnitName unit) throws Exception {
    return awaitView(unit, view -> view.machine().isPresent()).machine().orElseThrow();
  }

  private UnitView awaitView(UnitName unit, java.util.function.Predicate<UnitView> condition)
      throws Exception {
    await(() -> cluster.unit(unit).filter(condition).isPresent());
    return cluster.unit(unit).orElseThrow();
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    Await.until(
        condition, () -> cluster.operation(OperationId.drain("m1")) + " " + cluster.units());
  }
}
