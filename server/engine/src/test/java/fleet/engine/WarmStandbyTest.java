package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines.Standing;
import fleet.coordination.EventThread;
import fleet.coordination.SkippedTime;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.engine.decide.StormBrake;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import fleet.registry.records.StandbyRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that keeps itself ready to lead, and leads. */
class WarmStandbyTest {

  private static final Duration TTL = Duration.ofMillis(500);
  private static final EngineSettings SETTINGS =
      EngineSettings.of(TTL).with(changed -> changed.isolationMargin = Duration.ofMillis(1));
  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, SETTINGS.with(changed -> changed.standby = standbyFrom(4)));
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  private static EngineSettings.Standby standbyFrom(int units) {
    return new EngineSettings.Standby(units, Duration.ofMillis(1), Duration.ofMinutes(1));
  }

  private static UnitName unit(int number) {
    return UnitName.of("u" + number + ".service");
  }

  @Test
  void itLeadsWithWhatItHasAndGreetsMachinesThatAreThere() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(WEB);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));

    fleet.theWarmOneLeads(SETTINGS, () -> {});

    var _ = fleet.awaitView(WEB, view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
    fleet.launch(unit(1));
    assertThat(m1.awaitTarget(unit(1), TargetState.LAUNCHED)).isNotNull();
  }

  @Test
  void machinesThatSpeakToTheLeaderComeToItWithWhatTheyRun() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(WEB);
    m1.reportRunning(m1.awaitTarget(WEB, TargetState.LAUNCHED));

    fleet.theWarmOneLeads(
        SETTINGS.with(changed -> changed.reportsAwaited = Duration.ofMinutes(1)), () -> {});

    assertThat(fleet.awaitAbsences(absences -> !absences.machines().isEmpty()).machines())
        .singleElement()
        .satisfies(absent -> assertThat(absent.standing()).isEqualTo(Standing.AWAITED));
    ScriptedAgent again = fleet.direct("m1");
    again.reportRunning(again.awaitTarget(WEB, TargetState.LAUNCHED));
    var _ = fleet.awaitView(WEB, view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
  }

  @Test
  void whatHappensWhileNobodyLeadsIsDecidedOn() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(WEB);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    StoredMachine m2 = fleet.stored("m2");

    fleet.theWarmOneLeads(SETTINGS, () -> fleet.silent("m1"));

    assertThat(m2.awaitTarget(WEB, TargetState.LAUNCHED)).isNotNull();
  }

  @Test
  void aPauseThatIsInForceGoesOn() throws Exception {
    List<StoredMachine> machines =
        List.of(fleet.stored("m1"), fleet.stored("m2"), fleet.stored("m3"), fleet.stored("m4"));
    for (StoredMachine machine : machines) {
      UnitName unit = UnitName.of("on-" + machine.id() + ".service");
      fleet.launch(unit, bound(machine.id()));
      machine.running(machine.awaitTarget(unit, TargetState.LAUNCHED));
    }
    fleet.silent("m1", "m2", "m3");
    var _ = fleet.store.await("a pause", entries -> entries.containsKey(Keys.PAUSE));

    fleet.theWarmOneLeads(
        SETTINGS.with(
            changed -> changed.storm = new StormBrake.Settings(20, 3, TTL, Duration.ofMinutes(5))),
        () -> {});

    var _ = fleet.awaitAbsences(absences -> absences.pause().isPresent());
    assertThat(PauseRecord.of(fleet.registry.get(Keys.PAUSE).orElseThrow()).isInForce()).isTrue();
    assertThat(fleet.cluster().resume(LedCluster.CALLER)).isTrue();
    var _ = fleet.awaitAbsences(absences -> absences.pause().isEmpty());
  }

  private static String bound(String machine) {
    return "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineID=" + machine + "\n";
  }

  @Test
  void itKeepsItsPictureThoughNobodyReadsUntilItIsToldOtherwise() throws Exception {
    var dropped = new CountDownLatch(1);
    var time = new SkippedTime();
    Duration idle = Duration.ofMinutes(10);
    try (CurrentCluster standby =
        fleet.follower(
            SETTINGS.with(changed -> changed.observerIdle = idle),
            (name, turnEnd) ->
                new WatchedLoop(time.start(name, turnEnd), _ -> {}, dropped::countDown))) {
      int before = fleet.store.reads();
      standby.keepReady(true);
      Await.until(() -> fleet.store.reads() > before);
      assertThat(standby.units()).isEmpty();
      time.skip(idle.multipliedBy(3));
      assertThat(dropped.getCount()).isEqualTo(1);
      assertThat(standby.units()).isEmpty();
      assertThat(fleet.store.reads()).isEqualTo(before + 1);
      standby.keepReady(false);
      Await.until(() -> {
        time.skip(idle);
        return dropped.getCount() == 0;
      });
    }
  }

  /** Machines that speak to the leader are not in its state: all units would seem to wait. */
  @Test
  void whyUnitsWaitIsFoundOutOnlyOnceSomebodyReads() throws Exception {
    try (CurrentCluster standby = fleet.follower(SETTINGS, EventThread::new)) {
      standby.keepReady(true);
      fleet.launch(WEB);
      standby.awaitRevision(fleet.cluster().written());
      assertThat(standby.unit(WEB).orElseThrow().waiting()).isEqualTo("no machine is there");
      fleet.leaderDies();
      var _ = fleet.registry.commit(Transaction.when().delete(Keys.LEADER).build());
      StoredMachine m1 = fleet.stored("m1");
      LedCluster.awaitView(
          standby, WEB, view -> view.waiting().equals("no engine leads the cluster"));
      assertThat(m1.id()).isEqualTo("m1");
    }
  }

  @Test
  void theSeatIsOfferedFromSoManyUnitsOnUntilThereAreFarFewer() throws Exception {
    for (int i = 1; i <= 3; i++) {
      fleet.launch(unit(i));
    }
    // Some turns of the engine later it is not there yet.
    StoredMachine m1 = fleet.stored("m1");
    assertThat(m1.awaitTarget(unit(3), TargetState.LAUNCHED)).isNotNull();
    assertThat(fleet.registry.get(Keys.STANDBY)).isEmpty();

    fleet.launch(unit(4));
    awaitSeat(true);
    destroy(4, 3);
    fleet.launch(unit(5));
    assertThat(m1.awaitTarget(unit(5), TargetState.LAUNCHED)).isNotNull();
    assertThat(fleet.registry.get(Keys.STANDBY)).isPresent();

    destroy(5, 2);
    awaitSeat(false);
  }

  private void destroy(int... units) {
    for (int unit : units) {
      assertThat(fleet.cluster().destroy(unit(unit), LedCluster.CALLER)).isTrue();
    }
  }

  private Optional<Entry> awaitSeat(boolean offered) throws Exception {
    var _ = fleet.store.await("a seat", entries -> entries.containsKey(Keys.STANDBY) == offered);
    return fleet.registry.get(Keys.STANDBY);
  }

  @Test
  void whoLeadsOffersTheSeatThatItHadAgainAndLeavesAnothersAlone() throws Exception {
    for (int i = 1; i <= 4; i++) {
      fleet.launch(unit(i));
    }
    Entry free = awaitSeat(true).orElseThrow();
    assertThat(StandbyRecord.of(free).isFree()).isTrue();
    long taken = take("m9");

    fleet.theWarmOneLeads(SETTINGS.with(changed -> changed.standby = standbyFrom(4)), () -> {});

    var _ =
        fleet.store.await(
            "a free seat",
            entries ->
                Optional.ofNullable(entries.get(Keys.STANDBY))
                    .filter(seat -> seat.modified() > taken)
                    .isPresent());
    assertThat(StandbyRecord.of(fleet.registry.get(Keys.STANDBY).orElseThrow()).isFree()).isTrue();

    long takenAgain = take("m8");
    StoredMachine m1 = fleet.stored("m1");
    assertThat(m1.awaitTarget(unit(1), TargetState.LAUNCHED)).isNotNull();
    assertThat(fleet.registry.get(Keys.STANDBY).orElseThrow().modified()).isEqualTo(takenAgain);
  }

  private long take(String machine) {
    Outcome taken =
        fleet.registry.commit(
            Transaction.when().put(Keys.STANDBY, new StandbyRecord(machine).json()).build());
    return taken.revision();
  }

  @Test
  void nobodyIsToReadAlongBeforeAMassOfNewUnitsIsPlacedUnlessThatTakesLong() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.anotherLeads(
        SETTINGS.with(changed ->
            changed.standby =
                new EngineSettings.Standby(1, Duration.ofHours(1), Duration.ofHours(1))));
    fleet.launch(WEB);
    assertThat(m1.awaitTarget(WEB, TargetState.LAUNCHED)).isNotNull();
    fleet.launch(unit(1));
    assertThat(m1.awaitTarget(unit(1), TargetState.LAUNCHED)).isNotNull();
    assertThat(fleet.registry.get(Keys.STANDBY)).isEmpty();

    fleet.anotherLeads(
        SETTINGS.with(changed ->
            changed.standby = new EngineSettings.Standby(1, Duration.ofHours(1), Duration.ZERO)));
    awaitSeat(true);
  }

  @Test
  void whoeverWantsNoStandbyOffersNoSeat() throws Exception {
    fleet.anotherLeads(SETTINGS.with(changed -> changed.standby = EngineSettings.Standby.NEVER));
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(WEB);
    assertThat(m1.awaitTarget(WEB, TargetState.LAUNCHED)).isNotNull();
    assertThat(fleet.registry.get(Keys.STANDBY)).isEmpty();
  }
}
