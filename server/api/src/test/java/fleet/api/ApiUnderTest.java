package fleet.api;

import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.core.audit.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The API over a fake cluster, on unix sockets of its own. */
final class ApiUnderTest implements AutoCloseable {

  /** For a fleetd that is always ready. */
  static MonitoringSources ready() {
    return new MonitoringSources(new MetricStore(), Optional::empty);
  }

  static final int TOKEN_LIMIT = 3;

  final FakeCluster cluster = new FakeCluster();
  final FakeTokens tokens = new FakeTokens();
  final FakeGrants grants = new FakeGrants();
  final MetricStore metrics = new MetricStore();
  volatile Optional<String> problem = Optional.empty();
  final Path socket;
  private final Path directory;
  private final ApiServer leader;
  private final ApiServer server;

  /** Which fleetd tests speak to. */
  enum Asked {
    LEADER,
    /** One that has joined, and passes all on to the leader. */
    OTHER
  }

  ApiUnderTest() {
    this(Asked.LEADER);
  }

  ApiUnderTest(Asked asked) {
    this(asked, Duration.ofSeconds(15));
  }

  ApiUnderTest(Asked asked, Duration heartbeat) {
    try {
      directory = Files.createTempDirectory("api");
      socket = directory.resolve("fleet.sock");
      leader =
          server(
              new FakeBackend(cluster, tokens, grants),
              directory.resolve("leader.sock"),
              heartbeat,
              ready());
      server =
          server(backend(asked), socket, heartbeat, new MonitoringSources(metrics, () -> problem));
      leader.start();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ListenException e) {
      throw new IllegalStateException(e);
    }
  }

  private Backend backend(Asked asked) {
    return switch (asked) {
      case LEADER -> new FakeBackend(cluster, tokens, grants);
      case OTHER -> Backend.joined(leader.relayed());
    };
  }

  private static ApiServer server(
      Backend backend, Path socket, Duration heartbeat, MonitoringSources monitoring) {
    return new ApiServer(
        backend,
        List.of(new Listen.Unix(socket)),
        new ApiSettings("2.0.0", TOKEN_LIMIT, List.of(), heartbeat, Optional.empty()),
        AuditLog.NONE,
        monitoring);
  }

  RawConnection connect() throws IOException {
    return RawConnection.to(socket);
  }

  Reply request(String method, String path, String body, String... headers) throws IOException {
    try (RawConnection wire = connect()) {
      return wire.request(method, path, body, headers);
    }
  }

  Reply get(String path) throws IOException {
    return request("GET", path, "");
  }

  void stop() {
    server.stop();
    leader.stop();
  }

  @Override
  public void close() throws IOException {
    stop();
    Files.deleteIfExists(socket);
    Files.delete(directory);
  }
}
