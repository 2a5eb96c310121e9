package fleet.registry.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One etcd for all tests of a class. Before each test it is back if another test has killed or
 * frozen it, and there is a new prefix, so that no test sees what another one wrote.
 */
public final class SharedEtcd implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

  private @Nullable Path directory;
  private @Nullable EtcdServer server;
  private String prefix = "";

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    directory = Files.createTempDirectory("etcd");
    server = EtcdServer.start(directory);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    server().revive();
    prefix = "/" + UUID.randomUUID() + "/";
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    server().close();
    List<Path> files;
    try (Stream<Path> all = Files.walk(Objects.requireNonNull(directory))) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  public EtcdServer server() {
    return Objects.requireNonNull(server);
  }

  /** The prefix of all keys of the test that runs. */
  public String prefix() {
    return prefix;
  }
}
