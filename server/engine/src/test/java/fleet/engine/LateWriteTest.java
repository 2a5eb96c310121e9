package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.TargetState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write of which nobody knows whether it happened happens after all. */
class LateWriteTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final String TAKEN = Keys.schedule("m1", WEB);

  /** The move of the unit, on its way. */
  private final CompletableFuture<Transaction> late = new CompletableFuture<>();

  private final CompletableFuture<Void> arrives = new CompletableFuture<>();

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, EngineSettings.of(Duration.ofMillis(100)));
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void aMachineThatComesBackMeanwhileIsNotToldToRunWhatMayBeAnothers() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(WEB);
    m1.reportRunning(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    ScriptedAgent m2 = fleet.direct("m2");
    fleet.store.interfere(this::onItsWay);
    m1.close();
    Transaction move = late.get();

    ScriptedAgent back = fleet.direct("m1");
    var _ =
        Await.value(
            () -> fleet.cluster().machines(),
            machines -> machines.stream().anyMatch(view -> view.machine().id().equals("m1")));
    var _ = fleet.registry.commit(move);
    arrives.complete(null);

    var _ = m2.awaitTarget(WEB, TargetState.LAUNCHED);
    back.awaitGreeting();
    assertThat(back.wasToldOf(WEB)).isFalse();
  }

  /** Later writes of the leader are answered once this has arrived, as a registry promises. */
  private Optional<Outcome> onItsWay(Transaction transaction) {
    if (transaction.writes().stream().anyMatch(write -> write.key().equals(TAKEN))) {
      if (late.complete(transaction)) {
        throw new OutcomeUnknownException("the store went away", new IllegalStateException());
      }
      if (!arrives.isDone()) {
        throw new RegistryException("the store is away");
      }
    }
    if (transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.SETTLED))) {
      arrives.join();
    }
    return Optional.empty();
  }
}
