package fleet.engine;

import fleet.cluster.Caller;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The leader deletes files that no unit names. */
class UnusedFilesTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("test");
  private static final UnitName WEB = UnitName.of("web.service");

  @Test
  void aFileThatTheStoreDidNotDeleteIsDeletedLater() throws Exception {
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n");
    var _ = cluster.put(WEB, Optional.of(file), Optional.of(DesiredState.INACTIVE), CALLER);
    var away = new AtomicBoolean(true);
    store.interfere(transaction -> {
      if (deletesFile(transaction) && away.getAndSet(false)) {
        throw new RegistryException("the store is away");
      }
      return Optional.empty();
    });

    var _ = cluster.destroy(WEB, CALLER);

    Await.until(() -> !away.get());
    Await.until(() -> {
      time.skip(Duration.ofSeconds(1));
      return registry.get(Keys.file(file.sha256())).isEmpty();
    });
  }

  private static boolean deletesFile(Transaction transaction) {
    return transaction.writes().stream()
        .anyMatch(write ->
            write instanceof Transaction.Write.Delete && write.key().startsWith(Keys.FILES));
  }
}
