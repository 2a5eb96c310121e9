package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import fleet.core.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets handed over as systemd does it, by systemd's own tool. */
@Timeout(60)
class HandedOverTest {

  private static final Path TOOL = Path.of("/usr/bin/systemd-socket-activate");

  @TempDir private Path directory;

  @Test
  void unixAndTcpSocketsAreServedAndTheFileIsLeftForTheNextStart() throws Exception {
    requireTool();
    Path socket = directory.resolve("fleet.sock");
    Path log = directory.resolve("log");
    int port = freePort();
    Process daemon = start(socket, port, log);
    try {
      awaitSocket(socket, daemon);
      try (Wire wire = answered(socket)) {
        assertThat(wire.get("/fleet/v1/units").body()).isEqualTo("{}");
      }
      try (Wire wire = Wire.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        assertThat(wire.get("/fleet/v1/machines").body()).isEqualTo("{}");
      }
    } finally {
      daemon.destroy();
      if (!daemon.waitFor(20, TimeUnit.SECONDS)) {
        daemon.destroyForcibly();
        fail("did not end when told");
      }
    }
    assertThat(Files.exists(socket)).isTrue();
    assertThat(Files.readString(log))
        .contains("HTTP API on " + socket + " (handed over by systemd)")
        .contains("http://0.0.0.0:" + port + ", plain and open to the network");
  }

  /** The file is there a moment before anybody listens on it. */
  private static Wire answered(Path socket) throws InterruptedException {
    return Await.value(() -> connected(socket), Optional::isPresent).orElseThrow();
  }

  private static Optional<Wire> connected(Path socket) {
    try {
      return Optional.of(Wire.to(socket));
    } catch (ConnectException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireTool() {
    if (!Files.isExecutable(TOOL)) {
      String missing = TOOL + " is missing: install the package systemd";
      if (System.getenv("CI") != null) {
        fail(missing);
      }
      abort(missing);
    }
  }

  private static Process start(Path socket, int port, Path log) throws IOException {
    return new ProcessBuilder(
            TOOL.toString(),
            "--listen=" + socket,
            "--listen=0.0.0.0:" + port,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            HandedOverMain.class.getName())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }

  /** The tool makes the socket a moment after it was started; nothing tells when. */
  private void awaitSocket(Path socket, Process daemon) throws IOException, InterruptedException {
    try (var watch = directory.getFileSystem().newWatchService()) {
      directory.register(watch, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
      while (!Files.exists(socket)) {
        assertThat(daemon.isAlive()).isTrue();
        var key = watch.poll(1, TimeUnit.MINUTES);
        assertThat(key).isNotNull();
        key.pollEvents();
        key.reset();
      }
    }
  }
}
