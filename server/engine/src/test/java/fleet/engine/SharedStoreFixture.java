package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The parts that {@link SharedStoreTest} and {@link StoredMachinesTest} share. */
abstract class SharedStoreFixture {
  static final UnitName WEB = UnitName.of("web.service");

  static final UnitName OTHER = UnitName.of("other.service");

  static final Caller CALLER = new Caller("test");

  static final UnitFile SLEEP = file("[Service]\nExecStart=/bin/sleep 1000\n");

  @TempDir Path directory;

  EmbeddedRegistry registry;

  ScriptedStore store;

  CurrentCluster cluster;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    lead(
        new Term(leaderKey(), true),
        EngineSettings.of(Duration.ofHours(1)),
        new LocalCoordination());
  }

  /** Makes this the leader, as far as the store goes. */
  final long leaderKey() {
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    return put(Keys.LEADER, "{}");
  }

  final void lead(Term term) {
    lead(term, EngineSettings.of(Duration.ofHours(1)));
  }

  final void lead(Term term, EngineSettings settings) {
    lead(term, settings, new LocalCoordination());
  }

  final void lead(Term term, EngineSettings settings, EngineCoordination coordination) {
    cluster =
        new CurrentCluster(
            store,
            coordination,
            Certainty.ALWAYS,
            settings,
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    cluster.lead(term);
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }

  StoredMachine machine(String id) {
    return machine(id, Map.of(), Isolation.KEEP);
  }

  StoredMachine machine(String id, Map<String, String> metadata, Isolation isolation) {
    return new StoredMachine(store, registry, id).present(metadata, isolation);
  }

  long put(String key, String value) {
    return registry.commit(Transaction.when().put(key, value).build()).revision();
  }

  void launch(UnitName name, UnitFile file) {
    var _ = cluster.put(name, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  UnitView view(UnitName name) {
    return cluster.unit(name).orElseThrow();
  }

  UnitView awaitView(UnitName name, Predicate<UnitView> condition) throws InterruptedException {
    return LedCluster.awaitView(cluster, name, condition);
  }

  static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
