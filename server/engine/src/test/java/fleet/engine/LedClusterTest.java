package fleet.engine;

import fleet.coordination.Certainty;
import fleet.coordination.Leadership.Term;
import fleet.coordination.SkippedTime;
import fleet.coordination.local.LocalCoordination;
import fleet.core.testing.Await;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that one engine leads, whose machines are what the test writes to the store. */
abstract class LedClusterTest {

  /** How long an engine that begins to lead waits for machines that it misses. */
  static final Duration GRACE = Duration.ofMinutes(10);

  final SkippedTime time = new SkippedTime();
  @TempDir Path directory;
  EmbeddedRegistry registry;
  ScriptedStore store;
  CurrentCluster cluster;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    cluster =
        new CurrentCluster(
            store,
            new LocalCoordination(),
            Certainty.ALWAYS,
            EngineSettings.of(Duration.ofHours(1)).with(changed -> changed.isolationMargin = GRACE),
            clock(),
            time::start,
            why -> {
              throw new AssertionError(why);
            });
    lead();
  }

  Clock clock() {
    return Clock.systemUTC();
  }

  /** Another term begins, and machines have had their time to speak. */
  void lead() {
    leadAgain();
    time.skip(GRACE);
  }

  /** Lets time pass, and more of it if the leader was late to begin to measure it. */
  void skipUntil(Duration atLeast, BooleanSupplier condition) throws InterruptedException {
    time.skip(atLeast);
    Await.until(() -> {
      boolean holds = condition.getAsBoolean();
      if (!holds) {
        time.skip(Duration.ofSeconds(1));
      }
      return holds;
    });
  }

  /** Another term begins. */
  void leadAgain() {
    long token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster.lead(new Term(token, true));
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }
}
