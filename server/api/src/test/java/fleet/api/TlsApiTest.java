package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.api.listen.Listen;
import fleet.api.listen.ServerTlsFiles;
import fleet.cluster.Caller;
import fleet.core.access.AccessRole;
import fleet.core.access.GrantHolder;
import fleet.core.audit.AuditLog;
import fleet.core.state.DesiredState;
import fleet.trust.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsApiTest {

  private final FakeCluster cluster = new FakeCluster();
  private final FakeGrants grants = new FakeGrants();

  @Test
  void clientsAreWhoTheirCertificateSaysAndOthersStayOut(@TempDir Path directory) throws Exception {
    TestCertificate server = TestCertificate.make(directory, "server", "RSA");
    TestCertificate ops = TestCertificate.make(directory, "ops", "EC");
    TestCertificate stranger = TestCertificate.make(directory, "stranger", "EC");
    ServerTlsFiles files =
        new ServerTlsFiles(server.certificate(), server.key(), ops.certificate());
    Listen listen =
        new Listen.Tcp(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.of(files), false);
    ApiServer api =
        new ApiServer(
            new FakeBackend(cluster, new FakeTokens(), grants),
            List.of(listen),
            new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
            AuditLog.NONE,
            ApiUnderTest.ready());
    api.start();
    try {
      InetSocketAddress address =
          (InetSocketAddress) api.sockets().getFirst().channel().getLocalAddress();
      cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        try (RawConnection wire = connect(ops.trusting(server), address, version)) {
          grants.revoke(GrantHolder.parse("ops").orElseThrow(), new Caller("user root"));
          Reply refused = wire.request("POST", "/fleet/v1/tokens", "{\"role\":\"server\"}");
          assertThat(refused.status()).isEqualTo(403);
          assertThat(refused.body()).contains("fleetctl access grant person:ops --role=admin");
          grants.give("ops", AccessRole.OPERATOR);
          Reply reply = wire.request("POST", "/fleet/v1/units/web.service/restart", "");
          assertThat(reply.status()).as(reply.body()).isEqualTo(202);
          wire.ask("GET", "/fleet/v1/events", "");
          assertThat(wire.head().status()).isEqualTo(200);
          assertThat(wire.chunk()).isNotEmpty();
        }
        assertThat(cluster.events.closedStreams.take()).isNotNull();
        for (SSLContext wrong :
            List.of(stranger.trusting(server), TestCertificate.anonymousTrusting(server))) {
          assertThatThrownBy(
                  () -> {
                    try (RawConnection wire = connect(wrong, address, version)) {
                      wire.get("/fleet/v1/units");
                    }
                  })
              .isInstanceOf(IOException.class);
        }
      }
      assertThat(cluster.callers).hasSize(2);
      assertThat(cluster.callers.getFirst().name()).isEqualTo("certificate CN=ops");
    } finally {
      api.stop();
    }
  }

  private static RawConnection connect(
      SSLContext context, InetSocketAddress address, String version) throws IOException {
    Socket socket =
        context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
    ((SSLSocket) socket).setEnabledProtocols(new String[] {version});
    return RawConnection.to(socket);
  }
}
