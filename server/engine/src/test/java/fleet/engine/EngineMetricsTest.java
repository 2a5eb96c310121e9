package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.MetadataChange;
import fleet.core.metric.Metric;
import fleet.core.schedule.TargetState;
import fleet.core.testing.Await;
import fleet.core.testing.RecordedMetrics;
import fleet.core.unit.UnitName;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineMetricsTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final String IN_EUROPE =
      "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineMetadata=region=eu\n";

  @TempDir Path directory;
  private final Instant before = Instant.now();
  private final RecordedMetrics counted = new RecordedMetrics();
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, settings(Duration.ofHours(1)));
  }

  private EngineSettings settings(Duration ttl) {
    return EngineSettings.of(ttl).with(changed -> changed.meter = counted);
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  private void await(int count, Metric metric, String... labels) throws Exception {
    Await.until(() -> counted.of(metric, labels) == count);
  }

  private int scheduled() {
    return counted.of(Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "attemptscheduleunit");
  }

  private int unscheduled() {
    return counted.of(Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "unscheduleunit");
  }

  private int moves(String cause) {
    return counted.of(Metric.FLEET_ENGINE_MOVES_TOTAL, cause);
  }

  /** The gauges as a scrape has them. */
  private RecordedMetrics scrape() throws InterruptedException {
    var scrape = new RecordedMetrics();
    fleet.cluster().tell(scrape);
    return scrape;
  }

  private void region(String region) {
    fleet
        .cluster()
        .changeMetadata(List.of(new MetadataChange.Set("m1", "region", region)), LedCluster.CALLER);
  }

  @Test
  void theLeaderTellsSinceWhenItLeads() throws Exception {
    RecordedMetrics led = scrape();
    assertThat(led.of(Metric.FLEET_ENGINE_LEADS)).isEqualTo(1);
    assertThat((long) led.of(Metric.FLEET_ENGINE_LEADER_START_TIME))
        .isBetween(before.getEpochSecond(), Instant.now().getEpochSecond());
    assertThat(counted.of(Metric.FLEET_ENGINE_TERMS_TOTAL)).isEqualTo(1);
    assertThat(led.has(Metric.FLEET_MACHINES)).isTrue();

    assertThat(fleet.cluster().leadsSince().orElseThrow())
        .isBetween(before.minusMillis(1), Instant.now());
    fleet.cluster().retire("another leads");
    assertThat(fleet.cluster().leadsSince()).isEmpty();
    RecordedMetrics following = scrape();
    assertThat(following.of(Metric.FLEET_ENGINE_LEADS)).isZero();
    assertThat(following.of(Metric.FLEET_ENGINE_LEADER_START_TIME)).isZero();
    assertThat(following.has(Metric.FLEET_MACHINES)).isFalse();
  }

  @Test
  void unitsAreCountedOnTheirWay() throws Exception {
    fleet.launch(WEB, IN_EUROPE);
    await(1, Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, "schedule");
    int rounds = counted.of(Metric.FLEET_ENGINE_RECONCILE_COUNT_TOTAL);
    assertThat(rounds).isPositive();
    assertThat(scheduled()).isZero();

    ScriptedAgent agent = fleet.direct("m1");
    region("eu");
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
    await(1, Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "attemptscheduleunit");
    assertThat(unscheduled()).isZero();

    region("us");
    agent.awaitTarget(WEB, TargetState.STOPPING);
    await(1, Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "unscheduleunit");
    assertThat(moves("unfit")).isEqualTo(1);
    assertThat(counted.of(Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, "run")).isEqualTo(1);
    assertThat(moves("lost")).isZero();
    assertThat(counted.of(Metric.FLEET_ENGINE_RECONCILE_COUNT_TOTAL)).isGreaterThan(rounds);
    assertThat(counted.has(Metric.FLEET_ENGINE_TURN_SECONDS)).isTrue();
  }

  @Test
  void unitsThatWaitAreCountedByTheirReason() throws Exception {
    fleet.launch(WEB, IN_EUROPE);
    fleet.launch(
        UnitName.of("follower.service"),
        "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineOf=web.service\n");
    await(2, Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, "schedule");
    RecordedMetrics scrape = scrape();
    assertThat(scrape.of(Metric.FLEET_UNITS)).isEqualTo(2);
    assertThat(scrape.of(Metric.FLEET_ENGINE_WAITING_UNITS, "machine")).isEqualTo(1);
    assertThat(scrape.of(Metric.FLEET_ENGINE_WAITING_UNITS, "unit")).isEqualTo(1);
    assertThat(scrape.has(Metric.FLEET_ENGINE_WAITING_UNITS, "room")).as("0, not absent").isTrue();
    assertThat(scrape.of(Metric.FLEET_ENGINE_QUEUE)).isZero();
  }

  @Test
  void aUnitThatIsDestroyedIsTakenForNoFault() throws Exception {
    ScriptedAgent agent = fleet.direct("m1");
    fleet.launch(WEB);
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
    fleet.cluster().destroy(WEB, LedCluster.CALLER);
    agent.reportGone(agent.awaitTarget(WEB, TargetState.STOPPING));
    agent.awaitNothingOf(WEB);
    assertThat(unscheduled()).isEqualTo(1);
    assertThat(moves("unfit")).isZero();
    assertThat(moves("lost")).isZero();
  }

  @Test
  void aUnitThatIsDrainedMovesForThat() throws Exception {
    ScriptedAgent agent = fleet.direct("m1");
    fleet.launch(WEB);
    agent.reportRunning(agent.awaitTarget(WEB, TargetState.LAUNCHED));
    fleet.direct("m2");
    fleet.cluster().drain("m1", 1, LedCluster.CALLER);
    await(1, Metric.FLEET_ENGINE_MOVES_TOTAL, "drain");
    assertThat(moves("rebalance")).isZero();
    RecordedMetrics scrape = scrape();
    assertThat(scrape.of(Metric.FLEET_OPERATIONS, "drain", "going")).isEqualTo(1);
    assertThat(scrape.of(Metric.FLEET_OPERATIONS, "drain", "paused")).isZero();
  }

  @Test
  void aLostMachineIsCountedForEachOfItsUnits() throws Exception {
    fleet.direct("m1");
    fleet.launch(WEB);
    await(1, Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "attemptscheduleunit");
    fleet.anotherLeads(settings(Duration.ofMillis(50)));
    fleet.direct("m2").awaitTarget(WEB, TargetState.LAUNCHED);
    await(1, Metric.FLEET_ENGINE_MOVES_TOTAL, "lost");
    assertThat(counted.of(Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, "machine_away"))
        .isEqualTo(1);
    await(2, Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "attemptscheduleunit");
    assertThat(counted.of(Metric.FLEET_ENGINE_TERMS_TOTAL)).isEqualTo(2);
  }

  @Test
  void decisionsThatAreNotWrittenAreFailures() throws Exception {
    var failed = new AtomicBoolean();
    fleet.store.interfere(transaction -> {
      if (places(transaction) && failed.compareAndSet(false, true)) {
        throw new RegistryException("out of reach");
      }
      return Optional.<Outcome>empty();
    });
    ScriptedAgent agent = fleet.direct("m1");
    fleet.launch(WEB);
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
    await(1, Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, "attemptscheduleunit");
    assertThat(counted.of(Metric.FLEET_ENGINE_TASK_FAILURE_COUNT_TOTAL, "attemptscheduleunit"))
        .isEqualTo(1);
  }

  private static boolean places(Transaction transaction) {
    return transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.placement(WEB)));
  }
}
