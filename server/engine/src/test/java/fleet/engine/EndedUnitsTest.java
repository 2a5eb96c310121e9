package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.DestroyCondition;
import fleet.cluster.PlacementReasons;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnitRecord;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Units that have run to their end, whose machines go. */
class EndedUnitsTest {

  private static final Caller CALLER = new Caller("test");
  private static final UnitName JOB = UnitName.of("job.service");
  private static final UnitName WITH_JOB = UnitName.of("with.timer");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final EngineSettings AT_ONCE =
      EngineSettings.of(Duration.ofNanos(1))
          .with(changed -> changed.isolationMargin = Duration.ofMillis(1))
          .with(changed -> changed.rest = Duration.ZERO);

  /** Longer than any test takes. */
  private static final EngineSettings LATE =
      AT_ONCE.with(changed -> changed.rest = Duration.ofHours(1));

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, AT_ONCE);
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void aUnitThatHasEndedIsLoadedElsewhereAndNotStartedWhenItsMachineLeaves() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(JOB);
    ScheduleEntry entry = m1.awaitTarget(JOB, TargetState.LAUNCHED);
    m1.reportEnded(entry);
    fleet.launch(WEB);
    m1.reportRunning(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    awaitPerformed(WEB, DesiredState.LAUNCHED);
    ScriptedAgent m2 = fleet.direct("m2");
    m1.reportRemoved(entry);

    m1.leave();

    m2.awaitTarget(WEB, TargetState.LAUNCHED);
    ScheduleEntry loaded = m2.awaitAny(JOB);
    assertThat(loaded.target()).isEqualTo(TargetState.LOADED);
    assertThat(fleet.cluster().why(JOB).orElseThrow())
        .matches(why -> why.standing() == PlacementReasons.Standing.PLACED)
        .matches(why -> why.reason().contains("not started, as it has ended"));
  }

  @Test
  void aStartThatIsAskedForAfterwardsRunsItAgain() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    m1.leave();
    awaitNoted(JOB);
    assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.ACCEPTED);
    ScheduleEntry again = fleet.direct("m2").awaitAny(JOB);
    assertThat(again.target()).isEqualTo(TargetState.LAUNCHED);
    assertThat(again.restartCounter()).isEqualTo(2);
  }

  @Test
  void aStartAskedForWhereItIsLoadedRunsItThere() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    ScriptedAgent m2 = fleet.direct("m2");
    m1.leave();
    m2.reportLoaded(m2.awaitTarget(JOB, TargetState.LOADED));
    awaitPerformed(JOB, DesiredState.LOADED);
    assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.ACCEPTED);
    ScheduleEntry again = m2.awaitTarget(JOB, TargetState.LAUNCHED);
    m2.reportRunning(again);
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    assertThat(fleet.cluster().why(JOB).orElseThrow().reason()).doesNotContain("has ended");
    assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.RUNNING);
  }

  @Test
  void twoWhoSeeThatItHasEndedHaveItRunOnce() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    var first = new AtomicBoolean(true);
    fleet.store.beforeGet(() -> {
      if (first.getAndSet(false)) {
        assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.ACCEPTED);
      }
    });

    assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.RUNNING);

    var _ = m1.await(JOB, entry -> entry.filter(now -> now.restartCounter() == 2).isPresent());
    assertThat(fleet.cluster().unit(JOB).orElseThrow().unit().restartCounter()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"ACCEPTED", "RUNNING"})
  void aNewLeaderHearsFromTheMachineBeforeItSaysWhetherThereIsAnotherStart(StartResult expected)
      throws Exception {
    var _ = machineOnWhichTheJobHasEnded();
    fleet.anotherLeads(AT_ONCE.with(changed -> changed.reportsAwaited = Duration.ofHours(1)));
    CompletableFuture<StartResult> asked = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> asked.complete(fleet.cluster().startAgain(JOB, CALLER)));
    ScriptedAgent m1 = fleet.direct("m1");
    ScheduleEntry entry = m1.awaitAny(JOB);
    assertThat(asked).isNotDone();

    if (expected == StartResult.RUNNING) {
      m1.reportRunning(entry);
    } else {
      m1.reportEnded(entry);
    }

    assertThat(asked.join()).isEqualTo(expected);
  }

  @Test
  void aMachineThatLeavesAndComesBackDoesNotRunItAgain() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    m1.leave();
    awaitNoted(JOB);
    assertThat(fleet.direct("m1").awaitAny(JOB).target()).isEqualTo(TargetState.LOADED);
  }

  @Test
  void theNextLeaderKnowsThatItHasEnded() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    m1.leave();
    awaitNoted(JOB);
    fleet.anotherLeads(AT_ONCE);
    assertThat(fleet.direct("m2").awaitAny(JOB).target()).isEqualTo(TargetState.LOADED);
  }

  @Test
  void anEndThroughTheStoreCountsAlsoWhereTheMachineGoesWithoutAWord() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    m1.ended(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    assertTargetElsewhereOnceSilent(m1, TargetState.LOADED);
  }

  /** The caller has heard of the end from another fleetd, whose watch was faster. */
  @Test
  void anEndThatTheLeaderHasNotHeardOfIsWaitedForBeforeAStartIsTakenForNone() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    Entry entry = m1.awaitTarget(JOB, TargetState.LAUNCHED);
    m1.activating(entry);
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    fleet.store.holdWatches();
    m1.ended(entry);

    assertStartsOnceHeard();
  }

  /** Likewise of a unit whose machine has left since. */
  @Test
  void anEndThatIsNotedInTheStoreAloneIsWaitedForToo() throws Exception {
    ScriptedAgent m1 = machineOnWhichTheJobHasEnded();
    fleet.store.holdWatches();
    m1.leave();
    awaitNoted(JOB);

    assertStartsOnceHeard();
  }

  /** It was moved there while this fleetd was cut off from the store. */
  @Test
  void anEndOnAMachineThatThisFleetdDoesNotKnowOfIsWaitedForToo() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    Entry entry = m1.awaitTarget(JOB, TargetState.LAUNCHED);
    m1.activating(entry);
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    StoredMachine m2 = fleet.stored("m2");
    fleet.store.holdWatches();
    var placement =
        new PlacementRecord(
            "m2", ScheduleRecord.of(entry).incarnation(), Instant.EPOCH, "m1 is lost");
    m1.silent();
    var _ =
        fleet.registry.commit(
            Transaction.when()
                .delete(entry.key())
                .put(Keys.schedule("m2", JOB), entry.value())
                .put(Keys.placement(JOB), placement.json())
                .build());
    m2.ended(m2.awaitAny(JOB));

    assertStartsOnceHeard();
  }

  /** Its machine may stop it yet, and the leader may not have heard of it. */
  @Test
  void aUnitThatIsNotInTheStoreAnyMoreIsNotSaidToRun() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(JOB);
    m1.reportRunning(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    fleet.store.holdWatches();
    new UnitCommands(fleet.store, Clock.systemUTC(), () -> new Incarnation("none"))
        .destroy(JOB, DestroyCondition.NONE, CALLER);

    assertThat(fleet.cluster().startAgain(JOB, CALLER)).isEqualTo(StartResult.UNKNOWN);
    fleet.store.releaseWatches();
  }

  private void assertStartsOnceHeard() throws InterruptedException {
    var asked = new CompletableFuture<StartResult>();
    var read = new AtomicBoolean();
    fleet.store.beforeGet(() -> read.set(true));

    Thread asker =
        Thread.ofVirtual().start(() -> asked.complete(fleet.cluster().startAgain(JOB, CALLER)));
    Await.until(() -> asked.isDone() || (read.get() && asker.getState() == Thread.State.WAITING));
    fleet.store.releaseWatches();

    assertThat(asked.join()).isEqualTo(StartResult.ACCEPTED);
  }

  @Test
  void aUnitThatHasFailedIsStartedElsewhere() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    m1.failed(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    assertTargetElsewhereOnceSilent(m1, TargetState.LAUNCHED);
  }

  @Test
  void aUnitThatHasOnlyJustBecomeInactiveIsStartedElsewhere() throws Exception {
    fleet.anotherLeads(LATE);
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    m1.ended(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    assertTargetElsewhereOnceSilent(m1, TargetState.LAUNCHED);
  }

  @Test
  void oneThatHasRunAgainSinceIsStartedElsewhere() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(JOB);
    Entry entry = m1.awaitTarget(JOB, TargetState.LAUNCHED);
    m1.ended(entry);
    m1.running(entry);
    assertTargetElsewhereOnceSilent(m1, TargetState.LAUNCHED);
  }

  @Test
  void whatIsToBeWithItGoesWithIt() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(JOB);
    fleet.launch(WITH_JOB, "[Timer]\nOnCalendar=daily\n[X-Fleet]\nMachineOf=job.service\n");
    m1.reportEnded(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    m1.reportRunning(m1.awaitTarget(WITH_JOB, TargetState.LAUNCHED));
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    awaitPerformed(WITH_JOB, DesiredState.LAUNCHED);
    m1.leave();
    ScriptedAgent m2 = fleet.direct("m2");
    assertThat(m2.awaitAny(JOB).target()).isEqualTo(TargetState.LOADED);
    m2.awaitTarget(WITH_JOB, TargetState.LAUNCHED);
  }

  private void assertTargetElsewhereOnceSilent(StoredMachine m1, TargetState target)
      throws Exception {
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    StoredMachine m2 = fleet.stored("m2");
    m1.silent();
    m2.awaitTarget(JOB, target);
  }

  private ScriptedAgent machineOnWhichTheJobHasEnded() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(JOB);
    m1.reportEnded(m1.awaitTarget(JOB, TargetState.LAUNCHED));
    awaitPerformed(JOB, DesiredState.LAUNCHED);
    return m1;
  }

  private UnitView awaitPerformed(UnitName unit, DesiredState performed) throws Exception {
    return fleet.awaitView(unit, view -> view.current().filter(performed::equals).isPresent());
  }

  private void awaitNoted(UnitName unit) throws Exception {
    var _ =
        fleet.store.await(
            unit + " noted as ended",
            entries -> {
              Entry entry = entries.get(Keys.unit(unit));
              return entry != null && UnitRecord.of(entry).ended() == 1;
            });
  }
}
