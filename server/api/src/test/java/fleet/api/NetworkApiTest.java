package fleet.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.api.listen.Listen;
import fleet.core.audit.AuditLog;
import fleet.core.state.DesiredState;
import fleet.core.testing.SilentFlood;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refusals of the API on TCP, where web pages and strangers may come by. */
class NetworkApiTest {

  private static final String RESTART = "/fleet/v1/units/web.service/restart";

  /** Far less than idle connections have, and more than those have that never asked. */
  private static final int SLOW_MILLIS = 20_000;

  private static final int MOST_OF_ADDRESS = 1_024;

  private final FakeCluster cluster = new FakeCluster();
  private ApiServer api;
  private InetSocketAddress address;

  @BeforeEach
  void begin() throws Exception {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    api =
        new ApiServer(
            new FakeBackend(cluster, new FakeTokens(), new FakeGrants()),
            List.of(
                new Listen.Tcp(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Optional.empty(),
                    false)),
            new ApiSettings("2.0.0", 100, List.of("fleet.example.org"), Optional.empty()),
            AuditLog.NONE,
            ApiUnderTest.ready());
    api.start();
    address = (InetSocketAddress) api.sockets().getFirst().channel().getLocalAddress();
  }

  @AfterEach
  void end() {
    api.stop();
  }

  private int status(String method, String path, String host, String... headers)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Host: " + host);
    try (RawConnection wire = RawConnection.to(address)) {
      return wire.request(method, path, "", all.toArray(String[]::new)).status();
    }
  }

  private String own() {
    return "127.0.0.1:" + address.getPort();
  }

  /** The page's name leads to this machine, so the browser takes both for one site. */
  @Test
  void aPageWhoseNameWasMadeToLeadHereGetsNothing() throws Exception {
    String host = "evil.example:" + address.getPort();
    String origin = "Origin: http://" + host;
    assertThat(status("POST", RESTART, host, origin, "Sec-Fetch-Site: same-origin")).isEqualTo(421);
    assertThat(status("GET", "/fleet/v1/units", host, "Sec-Fetch-Site: same-origin"))
        .isEqualTo(421);
    assertThat(status("GET", "/fleet/v1/units", "localhost.evil.example")).isEqualTo(421);
    assertThat(cluster.callers).isEmpty();
  }

  @Test
  void aPageOfAnotherSiteGetsNothing() throws Exception {
    for (String method : List.of("GET", "POST")) {
      String path = method.equals("GET") ? "/fleet/v1/units" : RESTART;
      for (String header :
          List.of(
              "Origin: http://evil.example",
              "Origin: null",
              "Origin: https://" + own(),
              "Origin: http://localhost:" + address.getPort(),
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Site: same-site")) {
        assertThat(status(method, path, own(), header)).as("%s, %s", method, header).isEqualTo(403);
      }
    }
    assertThat(cluster.callers).isEmpty();
  }

  @Test
  void theDashboardMayAskForChangesAndPagesOfOthersMayNotShowIt() throws Exception {
    for (String path : List.of("/", "/dashboard/main.js")) {
      assertThat(status("GET", path, own(), "Sec-Fetch-Site: none")).isEqualTo(200);
      assertThat(status("GET", path, own(), "Sec-Fetch-Site: same-origin")).isEqualTo(200);
      assertThat(status("GET", path, own(), "Sec-Fetch-Site: cross-site")).isEqualTo(403);
      assertThat(status("GET", path, "evil.example:" + address.getPort())).isEqualTo(421);
    }
    String origin = "Origin: http://" + own();
    assertThat(status("POST", RESTART, own(), origin, "Sec-Fetch-Site: same-origin"))
        .isEqualTo(202);
  }

  @Test
  void listsAreCompressedForBrowsers() throws Exception {
    URI units = URI.create("http://%s/fleet/v1/units".formatted(own()));
    try (HttpClient browser = HttpClient.newHttpClient()) {
      HttpResponse<String> plain =
          browser.send(HttpRequest.newBuilder(units).build(), BodyHandlers.ofString());
      HttpRequest compressing =
          HttpRequest.newBuilder(units).header("Accept-Encoding", "gzip, br").build();
      HttpResponse<byte[]> packed = browser.send(compressing, BodyHandlers.ofByteArray());
      assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
      assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
      try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
        assertThat(new String(in.readAllBytes(), UTF_8))
            .contains("web.service")
            .isEqualTo(plain.body());
      }
    }
  }

  @Test
  void clientsThatAskForThisMachineAreAnswered() throws Exception {
    String hostname = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    for (String host :
        List.of(
            own(),
            "localhost:" + address.getPort(),
            "LOCALHOST.",
            "[::1]:" + address.getPort(),
            "192.0.2.7",
            hostname,
            hostname.split("\\.", 2)[0] + ":1",
            "fleet.example.org:8080")) {
      assertThat(status("GET", "/fleet/v1/units", host)).as(host).isEqualTo(200);
    }
    assertThat(
            status(
                "POST", RESTART, own(), "Origin: http://" + own(), "Sec-Fetch-Site: same-origin"))
        .isEqualTo(202);
    assertThat(status("GET", "/fleet/v1/units", own(), "Sec-Fetch-Site: none")).isEqualTo(200);
  }

  @Test
  void whoDoesNotCompleteARequestIsCutOffSoon() throws Exception {
    try (Socket silent = new Socket(address.getAddress(), address.getPort());
        Socket slow = new Socket(address.getAddress(), address.getPort())) {
      slow.getOutputStream()
          .write("GET /fleet/v1/units HTTP/1.1\r\nHost: localhost\r\n".getBytes(US_ASCII));
      for (Socket socket : List.of(silent, slow)) {
        socket.setSoTimeout(SLOW_MILLIS);
        assertThat(isCut(socket)).isTrue();
      }
    }
  }

  @Test
  void whoKeepsAConnectionMayUseItAgain() throws Exception {
    try (RawConnection wire = RawConnection.to(address)) {
      for (int i = 0; i < 3; i++) {
        assertThat(wire.get("/fleet/v1/units").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void theOldestSilentConnectionsMakeRoomAndStreamsStay() throws Exception {
    try (RawConnection stream = RawConnection.to(address)) {
      stream.ask("GET", "/fleet/v1/events", "");
      assertThat(stream.head().status()).isEqualTo(200);
      assertThat(stream.chunk()).isNotEmpty();
      SilentFlood.awaitCut(address.getPort(), MOST_OF_ADDRESS + 100, 50, this::anotherIsAnswered);
      assertThat(stream.chunk()).as("the stream goes on").isNotEmpty();
    }
  }

  private void anotherIsAnswered() throws IOException {
    try (RawConnection wire = RawConnection.to(address)) {
      assertThat(wire.get("/fleet/v1/units").status()).isEqualTo(200);
    }
  }

  private static boolean isCut(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }
}
