package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.MetadataChange;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.SettingsRecord;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineCommandsTest {

  /** An operation is a condition or a write, and etcd counts the two by themselves. */
  private static final int OPERATIONS_THAT_ETCD_TAKES = 128;

  @TempDir Path directory;

  @Test
  void theMetadataOfHundredsOfMachinesIsChangedInTransactionsThatTheStoreTakes() {
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      var store = new ScriptedStore(registry);
      List<Integer> sizes = new ArrayList<>();
      store.interfere(transaction -> {
        sizes.add(Math.max(transaction.writes().size(), transaction.conditions().size()));
        return Optional.empty();
      });
      List<MetadataChange> changes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        changes.add(new MetadataChange.Set("m" + i, "region", "us"));
        changes.add(new MetadataChange.Set("m" + i, "region", "eu"));
      }
      changes.add(new MetadataChange.Set("m0", "disk", "ssd"));

      long revision =
          new MachineCommands(store, Clock.systemUTC()).changeMetadata(changes, new Caller("test"));

      assertThat(sizes).allMatch(size -> size < OPERATIONS_THAT_ETCD_TAKES);
      assertThat(registry.read("").revision()).isEqualTo(revision);
      assertThat(registry.read(Keys.SETTINGS).entries())
          .hasSize(200)
          .allSatisfy(entry ->
              assertThat(SettingsRecord.of(entry).metadata()).containsEntry("region", "eu"));
      assertThat(SettingsRecord.of(registry.get(Keys.settings("m0")).orElseThrow()).metadata())
          .containsEntry("disk", "ssd");
    }
  }
}
