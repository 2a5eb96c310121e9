package fleet.engine;

import fleet.coordination.Certainty;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that one engine leads, whose machines are what the test writes to the store. */
abstract class LedClusterTest {

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
            EngineSettings.of(Duration.ofHours(1)),
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    lead();
  }

  /** Another term begins. */
  void lead() {
    long token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster.lead(new Term(token, true));
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }
}
