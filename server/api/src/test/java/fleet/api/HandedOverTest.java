package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets handed over as systemd does it, by systemd's own tool. */
class HandedOverTest {

  private static final Path TOOL = Path.of("/usr/bin/systemd-socket-activate");

  @TempDir private Path directory;

  @Test
  void unixAndTcpSocketsAreServedAndTheFileIsLeftForTheNextStart() throws Exception {
    requireTool();
    Path socket = directory.resolve("fleet.sock");
    Path log = directory.resolve("log");
    int port = ServerPorts.take(1).getFirst();
    Process daemon = start(log, socket.toString(), "127.0.0.1:" + port);
    try {
      awaitSocket(socket, daemon);
      try (RawConnection wire = answered(socket)) {
        assertThat(wire.get("/fleet/v1/units").body()).isEqualTo("{}");
      }
      try (RawConnection wire =
          RawConnection.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        assertThat(wire.get("/fleet/v1/machines").body()).isEqualTo("{}");
      }
    } finally {
      end(daemon);
    }
    assertThat(Files.exists(socket)).isTrue();
    assertThat(Files.readString(log))
        .contains("HTTP API on " + socket + " (handed over by systemd)")
        .doesNotContain("WARN");
  }

  /** As systemd makes it for socket units without SocketMode=, such as those of fleet 1.0. */
  @Test
  void aSocketThatEverybodyMayOpenIsClosedToOthersAndWhoCameBeforeIsNotServed() throws Exception {
    requireTool();
    Path socket = directory.resolve("fleet.sock");
    Path log = directory.resolve("log");
    Process daemon = start(log, socket.toString());
    try {
      awaitSocket(socket, daemon);
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      try (RawConnection before = answered(socket)) {
        assertThatThrownBy(() -> before.get("/fleet/v1/units")).isInstanceOf(IOException.class);
      }
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-rw----");
      // A client that comes while others are sent away may be one of them.
      assertThat(Await.value(() -> units(socket), units -> !units.isEmpty())).isEqualTo("{}");
    } finally {
      end(daemon);
    }
    assertThat(Files.readString(log))
        .contains(
            socket + " let every user of this machine run commands as root",
            "write SocketMode=0660 below [Socket]");
  }

  /** systemd does not make another for the next start. */
  @Test
  void aSocketWhoseFileWasRemovedKeepsNobodyFromStarting() throws Exception {
    requireTool();
    Path socket = directory.resolve("fleet.sock");
    Path log = directory.resolve("log");
    Process daemon = start(log, socket.toString());
    try {
      awaitSocket(socket, daemon);
      try (RawConnection wire = answered(socket)) {
        Files.delete(socket);
        assertThat(wire.get("/fleet/v1/units").body()).isEqualTo("{}");
      }
    } finally {
      end(daemon);
    }
    assertThat(Files.readString(log)).contains("no client finds " + socket + " any more");
  }

  /** Empty if the connection was ended instead. */
  private static String units(Path socket) {
    try (RawConnection wire = RawConnection.to(socket)) {
      return wire.get("/fleet/v1/units").body();
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void plainTcpBeyondLoopbackNeedsToBeAskedForInSoManyWords() throws Exception {
    requireTool();
    Path log = directory.resolve("log");
    int port = ServerPorts.take(1).getFirst();
    Process daemon = start(log, "0.0.0.0:" + port);
    try {
      assertThatThrownBy(
              () -> {
                InetAddress here = InetAddress.getLoopbackAddress();
                try (RawConnection wire = answered(new InetSocketAddress(here, port))) {
                  wire.get("/fleet/v1/machines");
                }
              })
          .isInstanceOf(IOException.class);
    } finally {
      end(daemon);
    }
    assertThat(Files.readString(log))
        .contains(
            "refusing to serve http://0.0.0.0:" + port,
            "everybody who reaches it could run commands as root",
            "insecure_tcp=true");
  }

  private static void end(Process daemon) throws InterruptedException {
    daemon.destroy();
    if (!daemon.waitFor(1, TimeUnit.MINUTES)) {
      daemon.destroyForcibly();
      fail("did not end when told");
    }
  }

  /** The file is there a moment before anybody listens on it. */
  private static RawConnection answered(Path socket) throws InterruptedException {
    return answered(UnixDomainSocketAddress.of(socket));
  }

  private static RawConnection answered(SocketAddress socket) throws InterruptedException {
    return Await.value(() -> connected(socket), Optional::isPresent).orElseThrow();
  }

  private static Optional<RawConnection> connected(SocketAddress socket) {
    try {
      return Optional.of(RawConnection.to(socket));
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

  private static Process start(Path log, String... sockets) throws IOException {
    List<String> command = new ArrayList<>(List.of(TOOL.toString()));
    for (String socket : sockets) {
      command.add("--listen=" + socket);
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            HandedOverMain.class.getName()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** The tool makes the socket a moment after it was started, if it does not fail before. */
  private static void awaitSocket(Path socket, Process daemon) throws InterruptedException {
    Await.until(() -> Files.exists(socket) || !daemon.isAlive());
    assertThat(socket).exists();
  }
}
