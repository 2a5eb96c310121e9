package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.NewRestart;
import fleet.cluster.RestartResult;
import fleet.coordination.HeartbeatInterval;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader that machines cannot come to does not take them for lost. */
class RpcReachabilityTest {

  private static final UnitName UNIT = UnitName.of("web.service");
  private static final UnitName OTHER = UnitName.of("other.service");
  private static final List<Absent> AWAITED =
      List.of(new Absent("m1", 1, Standing.AWAITED, Optional.empty()));

  @TempDir Path directory;
  private volatile Optional<RpcReachability.Opening> opening = open(Duration.ofHours(1), false);
  private final EngineSettings settings =
      EngineSettings.of(Duration.ofMillis(1))
          .with(changed -> changed.isolationMargin = Duration.ofMillis(1))
          .with(changed -> changed.reportsAwaited = Duration.ofMillis(1))
          .with(changed -> changed.reach = () -> opening);
  private LedCluster fleet;

  @BeforeEach
  void aUnitOnOneOfTwoMachines() throws Exception {
    fleet = new LedCluster(directory, settings);
    StoredMachine machine = fleet.stored("m1");
    fleet.launch(UNIT);
    machine.running(machine.awaitTarget(UNIT, TargetState.LAUNCHED));
    fleet.stored("m2");
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void aMachineThatGoesMeanwhileIsWaitedForUntilItHasHadItsTime() throws Exception {
    opening = Optional.empty();

    fleet.silent("m1");

    staysUntilReached();
  }

  @Test
  void aMachineThatWasNotThereAtTheBeginningAsWell() throws Exception {
    opening = Optional.empty();
    fleet.leaderDies();
    fleet.silent("m1");

    fleet.anotherLeads(settings);

    staysUntilReached();
  }

  @Test
  void aMachineThatComesKeepsItsUnit() throws Exception {
    opening = Optional.empty();
    fleet.silent("m1");
    var _ = fleet.awaitAbsences(absences -> absences.machines().equals(AWAITED));

    fleet.stored("m1");

    var _ = fleet.awaitAbsences(absences -> absences.machines().isEmpty());
    opening = open(Duration.ofHours(1), false);
    decidesOnOther();
    assertThat(fleet.registry.get(Keys.schedule("m1", UNIT))).isPresent();
  }

  /** Until then they speak to an address where nobody is any more. */
  @Test
  void afterAMoveMachinesAlsoHaveTheTimeThatItTakesThemToNotice() throws Exception {
    Duration needed =
        HeartbeatInterval.untilNoticed(settings.agentTtl()).plus(settings.reportsAwaited());
    opening = open(needed.minusMillis(1), true);

    fleet.silent("m1");

    var _ = fleet.awaitAbsences(absences -> absences.machines().equals(AWAITED));
    decidesOnOther();
    assertThat(fleet.registry.get(Keys.schedule("m1", UNIT))).isPresent();

    opening = open(needed, true);
    var _ = fleet.awaitView(UNIT, view -> view.machine().equals(Optional.of("m2")));
  }

  /** A restart would raise its bound over a machine that cannot come, and restart it unseen. */
  @Test
  void aRestartInTurnsGoesOnOnceMachinesHaveHadTheirTime() throws Exception {
    UnitName global = UnitName.of("mon.service");
    StoredMachine first = fleet.stored("m1");
    fleet.launch(global, "[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n");
    StoredMachine third = fleet.stored("m3");
    for (StoredMachine one : List.of(first, fleet.stored("m2"), third)) {
      one.running(one.awaitGlobalStart(global, 1));
    }
    var restart = new NewRestart(global, 1, Duration.ZERO);
    assertThat(fleet.cluster().begin(restart, LedCluster.CALLER)).isEqualTo(RestartResult.STARTED);
    Entry entry = first.awaitGlobalStart(global, 2);
    opening = Optional.empty();
    fleet.leaderDies();
    fleet.silent("m2");

    fleet.anotherLeads(settings);

    first.running(entry);
    for (int i = 0; i < 5; i++) {
      decidesOn(UnitName.of("other" + i + ".service"));
    }
    assertThat(start(global, "m3")).isEqualTo(1);
    opening = open(Duration.ofHours(1), false);
    third.awaitGlobalStart(global, 2);
  }

  private long start(UnitName unit, String machine) {
    return ScheduleRecord.of(fleet.registry.get(Keys.global(unit)).orElseThrow())
        .on(machine)
        .restartCounter();
  }

  private static Optional<RpcReachability.Opening> open(Duration ago, boolean moved) {
    return Optional.of(new RpcReachability.Opening(ago, moved));
  }

  private void staysUntilReached() throws Exception {
    var _ = fleet.awaitAbsences(absences -> absences.machines().equals(AWAITED));
    assertThat(fleet.awaitView(UNIT, view -> view.waiting().contains("waits for it")).waiting())
        .contains("none can come to this leader");
    decidesOnOther();
    assertThat(fleet.registry.get(Keys.schedule("m1", UNIT))).isPresent();

    opening = open(Duration.ofHours(1), false);
    var _ = fleet.awaitView(UNIT, view -> view.machine().equals(Optional.of("m2")));
  }

  /** Shows that the engine has come so far. */
  private void decidesOnOther() throws Exception {
    decidesOn(OTHER);
  }

  private void decidesOn(UnitName unit) throws Exception {
    fleet.launch(unit);
    var _ = fleet.awaitView(unit, view -> view.machine().isPresent());
  }
}
