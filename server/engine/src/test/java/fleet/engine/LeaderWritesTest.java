package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderWritesTest {

  private static final String KEY = "config/test";

  @TempDir Path directory;
  private final EventThread loop = new EventThread("test", () -> {});
  private EmbeddedRegistry registry;
  private ScriptedStore store;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
  }

  @AfterEach
  void close() {
    loop.close();
    registry.close();
  }

  private LeaderWrites led(long token) {
    return new LeaderWrites(store, loop, new Leadership.Term(token, false));
  }

  private long lead() {
    return registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
  }

  @Test
  void aWriteOfAnEngineThatLeadsNoLongerIsRefused() {
    long former = lead();
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    long present = lead();

    assertThat(write(led(former))).isInstanceOf(Outcome.Refused.class);
    assertThat(registry.get(KEY)).isEmpty();
    assertThat(write(led(present))).isInstanceOf(Outcome.Committed.class);
    assertThat(registry.get(KEY)).isPresent();
  }

  private Outcome write(LeaderWrites writes) {
    var outcome = new CompletableFuture<Outcome>();
    loop.post(() ->
        writes.write(
            "test",
            writes.fenced().put(KEY, "1").build(),
            outcome::complete,
            outcome::completeExceptionally));
    return outcome.join();
  }

  @Test
  void aKeyThatCouldNotBeWrittenIsWrittenOnceItCan() throws Exception {
    var attempts = new AtomicInteger();
    store.interfere(_ -> {
      if (attempts.incrementAndGet() == 1) {
        throw new RegistryException("the disk is full");
      }
      return Optional.empty();
    });
    LeaderWrites.KeptKey key =
        led(Leadership.Term.ALONE.token()).key(KEY, "what a test wants to say");

    loop.postEvery(
        Duration.ofMillis(10),
        () -> {
          if (registry.get(KEY).isEmpty()) {
            key.write(Optional.empty(), Optional.of("1"));
          }
        });

    assertThat(store.await("the key", keys -> keys.containsKey(KEY))).containsKey(KEY);
    assertThat(attempts).hasValue(2);
  }
}
