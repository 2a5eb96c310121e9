package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventsFrom;
import fleet.cluster.MachineView;
import fleet.core.machine.Isolation;
import fleet.core.machine.Maintenance;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.SettingsRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fleetd of a machine is away for maintenance, and its units run on. */
class MaintenanceTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName OTHER = UnitName.of("other.service");
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

  /** As much as a leader that has just begun waits for machines. */
  private static final Duration LONG = Duration.ofHours(2);

  private final SetClock clock = new SetClock();
  private StoredMachine m1;
  private StoredMachine m2;
  private Entry placed;

  private static final class SetClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00.25Z");

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @Override
  Clock clock() {
    return clock;
  }

  @BeforeEach
  void aUnitRunsOnTheFirstOfTwoMachines() throws Exception {
    m1 = machine("m1");
    launch(WEB);
    placed = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    m1.running(placed);
    m2 = machine("m2");
    Await.until(() -> cluster.machines().size() == 2);
  }

  private StoredMachine machine(String id) {
    return new StoredMachine(store, registry, id).present(Map.of(), Isolation.KEEP);
  }

  private void launch(UnitName name) throws UnitFileSyntaxException {
    var _ =
        cluster.put(
            name,
            Optional.of(UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n")),
            Optional.of(DesiredState.LAUNCHED),
            CALLER);
  }

  private Maintenance maintain() {
    return cluster.maintain("m1", HALF_AN_HOUR, CALLER);
  }

  private void goesAway() throws InterruptedException {
    m1.silent();
    Await.until(() -> cluster.machines().size() == 1);
  }

  private void isAwayInMaintenance(Maintenance window) {
    assertThat(cluster.absences().machines())
        .containsExactly(new Absent("m1", 1, Standing.MAINTENANCE, Optional.of(window)));
  }

  @Test
  void unitsOfAMachineThatIsAwayStayWithItAndNothingNewComesToIt() throws Exception {
    Maintenance window = maintain();
    assertThat(window.until()).isEqualTo(Instant.parse("2026-01-01T00:30:00Z"));
    MachineView view = cluster.machines().getFirst();
    assertThat(view.maintenance()).contains(window);
    assertThat(view.cordoned()).isTrue();
    assertThat(view.machine().maintenance()).contains(window.until());

    goesAway();
    time.skip(LONG);
    isAwayInMaintenance(window);
    assertThat(cluster.unit(WEB).orElseThrow().waiting())
        .isEqualTo("machine m1 is in maintenance until 2026-01-01T00:30:00Z, as user a asked");
    assertThat(cluster.unit(WEB).orElseThrow().keptOn()).contains("m1");

    machine("m1");
    m1.running(placed);
    Await.until(() -> cluster.unit(WEB).orElseThrow().machine().equals(Optional.of("m1")));
    launch(OTHER);
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(placed);
  }

  @Test
  void theNextLeaderLeavesThemToo() throws Exception {
    Maintenance window = maintain();
    goesAway();
    lead();
    time.skip(LONG);
    isAwayInMaintenance(window);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(placed);
  }

  @Test
  void itEndsWhenItsTimeIsOverAndAMachineThatIsAwayThenIsLost() throws Exception {
    maintain();
    goesAway();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      clock.now = clock.now.plus(HALF_AN_HOUR);
      skipUntil(HALF_AN_HOUR, this::isOver);
      var over =
          Event.Body.of(
              Event.Command.MAINTENANCE_ENDED, Subject.of("m1"), Cause.of("its time is over"));
      assertThat(LedCluster.eventsUpTo(events, over)).contains(over);
    }
    skipUntil(LONG, () -> registry.get(Keys.schedule("m2", WEB)).isPresent());
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  private boolean isOver() {
    return isOver("m1");
  }

  private boolean isOver(String machine) {
    Entry settings = registry.get(Keys.settings(machine)).orElseThrow();
    return SettingsRecord.of(settings).maintenance().isEmpty();
  }

  /** Its units would stop with its fleetd, and run nowhere until the end. */
  @Test
  void itEndsOnceTheMachineComesBackAsOneThatStopsItsUnitsByItself() throws Exception {
    maintain();
    goesAway();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.STOP).running(placed);
      var over =
          Event.Body.of(
              Event.Command.MAINTENANCE_ENDED,
              Subject.of("m1"),
              Cause.of("the machine has on_isolation=stop"));
      assertThat(LedCluster.eventsUpTo(events, over)).contains(over);
    }
    assertThat(isOver()).isTrue();
    m1.silent();
    Await.until(() -> cluster.machines().size() == 1);
    skipUntil(LONG, () -> registry.get(Keys.schedule("m2", WEB)).isPresent());
  }

  @Test
  void machinesWhoseTimeIsOverTogetherWhileTheyAreAwayAreAStorm() throws Exception {
    List<StoredMachine> rack = List.of(m1, machine("m3"), machine("m4"));
    Await.until(() -> cluster.machines().size() == 4);
    for (StoredMachine one : rack) {
      cluster.maintain(one.id(), HALF_AN_HOUR, CALLER);
    }
    rack.forEach(StoredMachine::silent);
    Await.until(() -> cluster.machines().size() == 1);
    clock.now = clock.now.plus(HALF_AN_HOUR);
    skipUntil(HALF_AN_HOUR, () -> cluster.absences().pause().isPresent());
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(placed);
  }

  @Test
  void aMachineWithoutUnitsIsListedAsLostByTheNextLeader() throws Exception {
    cluster.maintain("m2", HALF_AN_HOUR, CALLER);
    m2.silent();
    Await.until(() -> cluster.machines().size() == 1);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    clock.now = clock.now.plus(HALF_AN_HOUR);
    skipUntil(HALF_AN_HOUR, () -> isOver("m2"));
    skipUntil(LONG, () -> !cluster.absences().departed().isEmpty());
    assertThat(cluster.absences().departed().getFirst().id()).isEqualTo("m2");
  }

  @Test
  void aMachineThatIsThereGetsUnitsAgainOnceItIsOver() throws Exception {
    maintain();
    clock.now = clock.now.plus(HALF_AN_HOUR);
    skipUntil(HALF_AN_HOUR, () -> !cluster.machines().getFirst().cordoned());
    assertThat(cluster.machines().getFirst().maintenance()).isEmpty();
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(placed);
  }

  @Test
  void theEndCanBeMoved() throws Exception {
    maintain();
    goesAway();
    Maintenance longer = cluster.maintain("m1", Duration.ofHours(1), CALLER);
    clock.now = clock.now.plus(HALF_AN_HOUR);
    time.skip(LONG);
    isAwayInMaintenance(longer);
  }

  @Test
  void somebodyEndsItAndAMachineThatIsAwayIsLost() throws Exception {
    maintain();
    goesAway();
    assertThat(cluster.endMaintenance("m1", CALLER)).isTrue();
    assertThat(cluster.endMaintenance("m1", CALLER)).isFalse();
    skipUntil(LONG, () -> registry.get(Keys.schedule("m2", WEB)).isPresent());
  }

  /** Such as one with a fleetd that knows no maintenance. */
  @Test
  void aMachineThatSaysThatItLeavesGivesUpItsUnits() throws Exception {
    maintain();
    MachineRecord record = MachineRecord.of(registry.get(Keys.machine("m1")).orElseThrow());
    var _ =
        registry.commit(
            Transaction.when().put(Keys.machine("m1"), record.asLeaving().json()).build());
    m1.silent();
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void machinesInMaintenanceMakeNoStorm() throws Exception {
    maintain();
    cluster.maintain("m2", HALF_AN_HOUR, CALLER);
    m1.silent();
    m2.silent();
    Await.until(() -> cluster.machines().isEmpty());
    assertThat(cluster.absences().pause()).isEmpty();
    assertThat(cluster.absences().machines())
        .extracting(Absent::standing)
        .isEqualTo(List.of(Standing.MAINTENANCE, Standing.MAINTENANCE));
  }
}
