package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.api.listen.Listen;
import fleet.core.audit.AuditLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scrapers read three paths, without being known, and reach nothing else. */
class ScrapeListenerTest {

  private final FakeCluster cluster = new FakeCluster();
  private volatile Supplier<Optional<String>> problem = Optional::empty;
  private final ApiServer server =
      new ApiServer(
          new FakeBackend(cluster, new FakeTokens(), new FakeGrants()),
          List.of(new Listen.Scrapers(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
          new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
          AuditLog.NONE,
          new MonitoringSources(new MetricStore(), () -> problem.get()));

  @BeforeEach
  void open() throws Exception {
    server.start();
  }

  @AfterEach
  void close() {
    server.stop();
  }

  private RawConnection connect() throws IOException {
    return RawConnection.to(
        (InetSocketAddress) server.sockets().getFirst().channel().getLocalAddress());
  }

  private Reply request(String method, String path) throws IOException {
    try (RawConnection wire = connect()) {
      wire.send("%s %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(method, path));
      return wire.read();
    }
  }

  private Reply get(String path) throws IOException {
    return request("GET", path);
  }

  @Test
  void metricsAreRead() throws IOException {
    Reply reply = get("/metrics");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo(MetricsResource.TYPE);
    assertThat(reply.body())
        .contains("fleet_build_info{version=\"2.0.0\"} 1\n", "process_open_fds ");
  }

  @Test
  void healthAndReadinessAreRead() throws IOException {
    problem = () -> Optional.of("no engine leads the cluster");
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
    assertThat(get("/readyz").status()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("not ready: no engine leads the cluster\n");
    problem = Optional::empty;
    assertThat(get("/readyz").status()).isEqualTo(200);
  }

  /** A fleetd that is busy lives. */
  @Test
  void healthIsReadWhileAllOtherAnswersTakeTheirTime() throws Exception {
    var asked = new CountDownLatch(4);
    var end = new CountDownLatch(1);
    problem =
        () -> {
          asked.countDown();
          await(end);
          return Optional.empty();
        };
    List<RawConnection> busy = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        RawConnection wire = connect();
        busy.add(wire);
        wire.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
      }
      asked.await();
      assertThat(get("/readyz").status()).isEqualTo(503);
      assertThat(get("/healthz").status()).isEqualTo(200);
      assertThat(get("/").status()).isEqualTo(404);
      end.countDown();
      for (RawConnection wire : busy) {
        assertThat(wire.read().status()).isEqualTo(200);
      }
    } finally {
      end.countDown();
      for (RawConnection wire : busy) {
        wire.close();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/metrics/",
        "/metrics/cluster",
        "/metrics/../fleet/v1/units",
        "//metrics",
        "/%6detrics",
        "/fleet/v1/units",
        "/fleet/v1/discovery",
        "/v1-alpha/units",
        "/fleet/v1/backup"
      })
  void nothingElseIsThere(String path) throws IOException {
    assertThat(get(path).status()).isEqualTo(404);
    assertThat(cluster.callers).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /fleet/v1/units/a.service",
    "POST, /metrics",
    "DELETE, /fleet/v1/units/a.service",
    "OPTIONS, /metrics",
    "BREW, /"
  })
  void nothingIsChanged(String method, String path) throws IOException {
    Reply reply = request(method, path);
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).isEqualTo("GET");
    assertThat(cluster.callers).isEmpty();
  }

  /** Prometheus asks for a machine by the name in its own configuration. */
  @Test
  void anyNameOfTheMachineWillDo() throws IOException {
    try (RawConnection wire = connect()) {
      wire.send("GET /healthz HTTP/1.1\r\nHost: node1.example.org\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(200);
    }
  }

  /** Else one that is kept open would take a place from others. */
  @Test
  void aConnectionHasOneRequest() throws IOException {
    Reply reply = get("/healthz");
    assertThat(reply.header("connection")).isEqualTo("close");
  }

  @Test
  void headersWithoutEndAreRefused() throws IOException {
    try (RawConnection wire = connect()) {
      wire.send("GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20000) + "\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(431);
    }
  }
}
