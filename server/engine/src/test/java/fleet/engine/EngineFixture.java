package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.PutResult;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.local.LocalCoordination;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.embedded.EmbeddedRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine that leads on an embedded registry, and machines as a test tells them. */
abstract class EngineFixture {

  static final UnitName WEB = UnitName.of("web.service");
  static final Caller CALLER = new Caller("test");
  static final UnitFile SLEEP = file("[Service]\nExecStart=/bin/sleep 1000\n");
  static final UnitFile OTHER = file("[Service]\nExecStart=/bin/sleep 2000\n");

  @TempDir Path directory;
  EmbeddedRegistry registry;
  LocalCoordination coordination;
  CurrentCluster cluster;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    lead(Duration.ofHours(1), new LocalCoordination());
  }

  final void lead(Duration grace) {
    lead(grace, new LocalCoordination());
  }

  final void lead(Duration grace, LocalCoordination joined) {
    coordination = joined;
    cluster =
        new CurrentCluster(
            registry,
            coordination,
            Certainty.ALWAYS,
            EngineSettings.of(grace),
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    cluster.lead(Leadership.Term.ALONE);
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }

  ScriptedAgent machine(String id) {
    return new ScriptedAgent(coordination, id, Map.of());
  }

  PutResult launch(UnitName name, UnitFile file) {
    return cluster.put(name, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  void desire(DesiredState state) {
    assertThat(cluster.put(WEB, Optional.empty(), Optional.of(state), CALLER))
        .isEqualTo(PutResult.UPDATED);
  }

  UnitView view(UnitName name) {
    return cluster.unit(name).orElseThrow();
  }

  UnitView awaitView(Predicate<UnitView> condition) throws Exception {
    return LedCluster.awaitView(cluster, WEB, condition);
  }

  void awaitUnits(Predicate<List<UnitView>> condition) throws Exception {
    List<UnitView> _ = Await.value(cluster::units, condition);
  }

  static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
