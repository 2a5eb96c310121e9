package fleet.api;

import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The API over a fake cluster, on a unix socket of its own. */
final class ApiUnderTest implements AutoCloseable {

  static final int TOKEN_LIMIT = 3;

  final FakeCluster cluster = new FakeCluster();
  final FakeTokens tokens = new FakeTokens();
  final Path socket;
  private final Path directory;
  private final ApiServer server;

  ApiUnderTest() {
    this(Duration.ofSeconds(15));
  }

  ApiUnderTest(Duration heartbeat) {
    try {
      directory = Files.createTempDirectory("api");
      socket = directory.resolve("fleet.sock");
      server =
          new ApiServer(
              cluster,
              tokens,
              List.of(new Listen.Unix(socket)),
              new ApiSettings("2.0.0", TOKEN_LIMIT, heartbeat));
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ListenException e) {
      throw new IllegalStateException(e);
    }
  }

  Wire connect() throws IOException {
    return Wire.to(socket);
  }

  Reply request(String method, String path, String body, String... headers) throws IOException {
    try (Wire wire = connect()) {
      return wire.request(method, path, body, headers);
    }
  }

  Reply get(String path) throws IOException {
    return request("GET", path, "");
  }

  void stop() {
    server.stop();
  }

  @Override
  public void close() throws IOException {
    stop();
    Files.deleteIfExists(socket);
    Files.delete(directory);
  }
}
