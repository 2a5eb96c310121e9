package fleet.registry.etcd;

import fleet.registry.Registry;
import fleet.registry.RegistryContract;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EtcdRegistryTest extends RegistryContract {

  /** Shared by all tests, each of which has a prefix of its own. */
  private record Shared(EtcdServer etcd) {}

  @TempDir static Path directory;
  private static final List<Shared> SHARED = new ArrayList<>();

  private final String prefix = "/" + UUID.randomUUID() + "/";

  @BeforeAll
  static void startEtcd() throws Exception {
    SHARED.add(new Shared(EtcdServer.start(directory)));
  }

  @AfterAll
  static void endEtcd() {
    SHARED.removeFirst().etcd().close();
  }

  private static URI etcd() {
    return SHARED.getFirst().etcd().client();
  }

  @Override
  protected Registry open() {
    return EtcdRegistry.open(
        new EtcdOptions(
            List.of(etcd()),
            prefix,
            "test",
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Optional.empty(),
            Optional.empty(),
            EtcdOptions.DEFAULT_QUOTA,
            Optional.empty()));
  }

  @Override
  protected void forgetChanges() {
    long revision = registry.read("").revision();
    try (Client client = Client.builder().endpoints(etcd()).build()) {
      client.getKVClient().compact(revision).join();
    }
  }
}
