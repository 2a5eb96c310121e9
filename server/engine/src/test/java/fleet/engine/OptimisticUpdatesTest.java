package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.ClusterUnavailableException;
import fleet.engine.OptimisticUpdates.Update;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptimisticUpdatesTest {

  private static final String KEY = "config/test";

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private OptimisticUpdates updates;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    updates = new OptimisticUpdates(registry);
    put("1");
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private void put(String value) {
    var _ = registry.commit(Transaction.when().put(KEY, value).build());
  }

  private Entry entry() {
    return registry.get(KEY).orElseThrow();
  }

  @Test
  void anUpdateThatMetAnotherIsDecidedAgainByWhatIsThereThen() {
    List<String> read = new ArrayList<>();

    CommandResult<String> done =
        updates.update(
            KEY,
            entry -> {
              read.add(entry.orElseThrow().value());
              if (read.size() == 1) {
                put("2");
              }
              return Update.write(
                  "after " + read.getLast(),
                  Transaction.when().unchanged(KEY, entry).put(KEY, "mine"));
            });

    assertThat(read).containsExactly("1", "2");
    assertThat(done).isEqualTo(new CommandResult<>("after 2", entry().modified()));
    assertThat(entry().value()).isEqualTo("mine");
  }

  @Test
  void aKeyThatSomebodyMadeMeanwhileIsNotOverwritten() {
    List<Boolean> there = new ArrayList<>();

    CommandResult<Boolean> done =
        updates.update(
            "config/new",
            entry -> {
              there.add(entry.isPresent());
              if (entry.isPresent()) {
                return Update.unchanged(false, entry);
              }
              var _ = registry.commit(Transaction.when().put("config/new", "theirs").build());
              return Update.write(
                  true,
                  Transaction.when().unchanged("config/new", entry).put("config/new", "mine"));
            });

    assertThat(there).containsExactly(false, true);
    assertThat(done.result()).isFalse();
    assertThat(registry.get("config/new").orElseThrow().value()).isEqualTo("theirs");
  }

  @Test
  void anUpdateThatHasNothingToWriteNamesTheRevisionThatItRestsOn() {
    long before = entry().modified();

    CommandResult<Boolean> done = updates.update(KEY, entry -> Update.unchanged(false, entry));

    assertThat(done).isEqualTo(new CommandResult<>(false, before));
    assertThat(entry().modified()).isEqualTo(before);
  }

  @Test
  void aRegistryThatDoesNotAnswerIsAClusterThatIsUnavailable() {
    Supplier<Update<Boolean>> failing =
        () -> {
          throw new RegistryException("the disk is full");
        };

    assertThatThrownBy(() -> updates.update(failing))
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessage("the disk is full");
  }
}
