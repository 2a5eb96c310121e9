package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.registry.embedded.EmbeddedRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLoaderTest {

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private ScriptedStore store;
  private StateLoader loader;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final AtomicInteger machines = new AtomicInteger();
  private final AtomicInteger thoughts = new AtomicInteger();

  @BeforeEach
  void follow() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    loader =
        new StateLoader(
            store,
            EngineSettings.of(Duration.ofHours(1)),
            Clock.systemUTC(),
            EventThread::new,
            "epoch");
    loader.follow(new Recorded(ended));
  }

  @AfterEach
  void close() {
    loader.close();
    registry.close();
  }

  @Test
  void aPictureThatIsHalfChangedIsGivenUpAndNothingIsMadeOfIt() throws Exception {
    loader.listener().present(new Machine("m1", "boot", "", Map.of(), "test"));
    Await.until(() -> machines.get() == 1);

    loader.listener().reported("m1", new Unreadable());

    assertThat(ended.join()).asString().contains("nobody has thought of that");
    int before = thoughts.get();
    loader.listener().present(new Machine("m2", "boot", "", Map.of(), "test"));
    assertThat(loader.loop().answersWithin(Duration.ofMinutes(10))).isTrue();
    assertThat(machines).hasValue(1);
    assertThat(thoughts).hasValue(before);
  }

  @Test
  void whoTakesOverAPictureWhoseWatchHasEndedIsTold() {
    store.failWatches("nobody hears");
    assertThat(ended.join()).asString().contains("nobody hears");

    var next = new Recorded(new CompletableFuture<>());
    loader.run(() -> loader.turnTo(next));

    assertThat(next.ended.join()).asString().contains("nobody hears");
  }

  private static final class Unreadable extends AbstractList<AgentReport> {
    @Override
    public AgentReport get(int index) {
      throw new IllegalStateException("nobody has thought of that");
    }

    @Override
    public int size() {
      return 1;
    }
  }

  private final class Recorded implements StateListener {
    private final CompletableFuture<String> ended;

    Recorded(CompletableFuture<String> ended) {
      this.ended = ended;
    }

    @Override
    public void machineChanged(Machine machine, boolean came) {
      machines.incrementAndGet();
    }

    @Override
    public void onTurnEnd(long revision) {
      thoughts.incrementAndGet();
    }

    @Override
    public void ended(String why) {
      ended.complete(why);
    }
  }
}
