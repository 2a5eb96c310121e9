package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.EngineCounts;
import fleet.cluster.EngineCounts.Counted;
import fleet.cluster.MetadataChange;
import fleet.core.schedule.Target;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
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
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, EngineSettings.of(Duration.ofHours(1)));
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  private EngineCounts awaitCounts(Predicate<EngineCounts> condition) throws Exception {
    return Await.value(() -> fleet.cluster().engineCounts(), condition);
  }

  private void region(String region) {
    fleet
        .cluster()
        .changeMetadata(List.of(new MetadataChange.Set("m1", "region", region)), LedCluster.CALLER);
  }

  @Test
  void theLeaderTellsSinceWhenItLeads() {
    assertThat(fleet.cluster().engineCounts().leadsSince().orElseThrow())
        .isBetween(before.minus(1, ChronoUnit.MILLIS), Instant.now());
    fleet.cluster().retire("another leads");
    assertThat(fleet.cluster().engineCounts().leadsSince()).isEmpty();
  }

  @Test
  void unitsAreCountedOnTheirWay() throws Exception {
    fleet.launch(WEB, IN_EUROPE);
    EngineCounts waiting = awaitCounts(counts -> counts.unplaceable() == 1);
    assertThat(waiting.rounds()).isPositive();
    assertThat(waiting.scheduled()).isEqualTo(new Counted(0, 0));

    ScriptedAgent agent = fleet.direct("m1");
    region("eu");
    agent.awaitTarget(WEB, Target.LAUNCHED);
    EngineCounts placed = awaitCounts(counts -> counts.scheduled().equals(new Counted(1, 0)));
    assertThat(placed.unscheduled()).isEqualTo(new Counted(0, 0));

    region("us");
    agent.awaitTarget(WEB, Target.STOPPING);
    EngineCounts taken = awaitCounts(counts -> counts.unscheduled().equals(new Counted(1, 0)));
    assertThat(taken.unableToRun()).isEqualTo(1);
    assertThat(taken.machineAway()).isZero();
    assertThat(taken.rounds()).isGreaterThan(placed.rounds());
  }

  @Test
  void aUnitThatIsDestroyedIsTakenForNoFault() throws Exception {
    ScriptedAgent agent = fleet.direct("m1");
    fleet.launch(WEB);
    agent.awaitTarget(WEB, Target.LAUNCHED);
    fleet.cluster().destroy(WEB, LedCluster.CALLER);
    agent.reportGone(agent.awaitTarget(WEB, Target.STOPPING));
    agent.awaitNothingOf(WEB);
    EngineCounts counts = awaitCounts(now -> now.unscheduled().equals(new Counted(1, 0)));
    assertThat(counts.unableToRun()).isZero();
    assertThat(counts.machineAway()).isZero();
  }

  @Test
  void aLostMachineIsCountedForEachOfItsUnits() throws Exception {
    fleet.direct("m1");
    fleet.launch(WEB);
    awaitCounts(counts -> counts.scheduled().written() == 1);
    fleet.anotherLeads(EngineSettings.of(Duration.ofMillis(50)));
    fleet.direct("m2").awaitTarget(WEB, Target.LAUNCHED);
    EngineCounts counts = awaitCounts(now -> now.machineAway() == 1);
    assertThat(counts.unscheduled()).isEqualTo(new Counted(1, 0));
    assertThat(counts.scheduled()).isEqualTo(new Counted(1, 0));
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
    agent.awaitTarget(WEB, Target.LAUNCHED);
    EngineCounts counts = awaitCounts(now -> now.scheduled().written() == 1);
    assertThat(counts.scheduled()).isEqualTo(new Counted(1, 1));
  }

  private static boolean places(Transaction transaction) {
    return transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.placement(WEB)));
  }
}
