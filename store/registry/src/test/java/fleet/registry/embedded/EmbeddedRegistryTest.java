package fleet.registry.embedded;

import fleet.registry.Registry;
import fleet.registry.RegistryContract;
import fleet.registry.Transaction;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRegistryTest extends RegistryContract {

  private static final int KEPT = 2_000;

  @TempDir Path directory;

  @Override
  protected Registry open() {
    return EmbeddedRegistry.open(directory, new EmbeddedRegistry.Options(KEPT, 4 << 20));
  }

  @Override
  protected void forgetChanges() {
    for (int i = 0; i < KEPT; i++) {
      registry.commit(Transaction.when().put("filler", "" + i).build());
    }
  }
}
