package fleet.api.listen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerCredentialsTest {

  @Test
  void theKernelTellsTheUserAndAllGroupsOfWhoConnected(@TempDir Path directory) throws Exception {
    var address = UnixDomainSocketAddress.of(directory.resolve("s"));
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      try (SocketChannel _ = SocketChannel.open(address);
          SocketChannel accepted = server.accept()) {
        PeerCredentials peer = PeerCredentials.of(accepted);
        assertThat(peer.uid()).isEqualTo(own("id", "-u").getFirst().transform(Long::parseLong));
        assertThat(peer.user()).isEqualTo(own("id", "-un").getFirst());
        assertThat(peer.isOwn()).isTrue();
        assertThat(peer.groups()).containsExactlyInAnyOrderElementsOf(own("id", "-Gn"));
      }
    }
  }

  private static List<String> own(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    return List.of(new String(process.getInputStream().readAllBytes(), UTF_8).strip().split(" "));
  }

  @Test
  void aGroupHasItsNameAndOneWithoutItsNumber() throws Exception {
    assertThat(GroupNames.of(0)).isEqualTo("root");
    assertThat(Files.readString(Path.of("/etc/group"))).doesNotContain(":4294967290:");
    assertThat(GroupNames.of((int) 4294967290L)).isEqualTo("4294967290");
  }
}
