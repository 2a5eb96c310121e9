package fleet.api.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketFileTest {

  @TempDir private Path directory;
  private Path socket;

  @BeforeEach
  void path() {
    socket = directory.resolve("fleet.sock");
  }

  private BoundSocket open() throws ListenException {
    return new Listen.Unix(socket).open();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void theSocketIsForItsOwnerAndForTheGroupWhereThatIsSafe() throws Exception {
    try (BoundSocket bound = open()) {
      PosixFileAttributes attributes = Files.readAttributes(socket, PosixFileAttributes.class);
      boolean safeGroup =
          attributes.group().getName().equals("fleet")
              || Files.getAttribute(socket, "unix:gid").equals(0);
      assertThat(PosixFilePermissions.toString(attributes.permissions()))
          .isEqualTo(safeGroup ? "rw-rw----" : "rw-------");
      assertThat(bound.description()).isEqualTo(socket.toString());
      assertThat(files()).containsExactly("fleet.sock");
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
    }
    assertThat(files()).isEmpty();
  }

  /** Requests that came before are answered by the rules of their socket. */
  @Test
  void aClosedSocketIsStillAUnixSocket() throws Exception {
    BoundSocket bound = open();
    bound.close();

    assertThat(bound.isUnix()).isTrue();
  }

  @Test
  void aSocketThatNobodyAnswersIsReplaced() throws Exception {
    ServerSocketChannel stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    stale.bind(UnixDomainSocketAddress.of(socket));
    stale.close();
    try (BoundSocket bound = open()) {
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
      assertThat(bound.channel().isOpen()).isTrue();
    }
  }

  @Test
  void aSocketThatSomebodyAnswersIsRefusedAndGoesOn() throws Exception {
    try (BoundSocket first = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(ListenException.class)
          .hasMessageStartingWith("another fleetd answers at " + socket);
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
      assertThat(first.channel().isOpen()).isTrue();
      assertThat(files()).containsExactly("fleet.sock");
    }
  }

  @Test
  void whatIsNoSocketIsRefusedAndKept() throws Exception {
    Files.writeString(socket, "precious");
    String message =
        "cannot listen at "
            + socket
            + ": there is something else at this path, remove it or choose another path";
    assertThatThrownBy(this::open).hasMessage(message);
    assertThat(Files.readString(socket)).isEqualTo("precious");
    Files.delete(socket);
    Files.createDirectory(socket);
    assertThatThrownBy(this::open).hasMessage(message);
    Files.delete(socket);
    Files.createSymbolicLink(socket, directory.resolve("elsewhere"));
    assertThatThrownBy(this::open).hasMessage(message);
  }

  @Test
  void aSocketMadeByAnotherSinceIsNotRemoved() throws Exception {
    BoundSocket first = open();
    Files.delete(socket);
    try (BoundSocket second = open()) {
      first.close();
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
      assertThat(second.channel().isOpen()).isTrue();
    }
  }

  @Test
  void aPathThatCannotBeSaysWhy() {
    assertThatThrownBy(() -> new Listen.Unix(directory.resolve("no/fleet.sock")).open())
        .hasMessage(
            "cannot listen at %s/no/fleet.sock: there is no directory %s/no"
                .formatted(directory, directory));
    assertThatThrownBy(() -> new Listen.Unix(Path.of("/" + "x".repeat(110))).open())
        .hasMessageEndingWith("the path is too long by 4 bytes");
  }
}
