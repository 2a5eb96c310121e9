package fleet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdTest {

  private static Machines machines;
  private static Etcd etcd;

  @BeforeAll
  static void startOne() {
    machines = Machines.create(Optional.empty());
    etcd = machines.etcd(EtcdSettings.plain().withQuota(20_000_000));
  }

  @AfterAll
  static void removeIt() {
    machines.close();
  }

  @Test
  void keepsItsDataOverARestart() {
    etcd.ctl("put", "kept", "as it was");
    etcd.restart();
    assertThat(etcd.ctl("get", "kept")).isEqualTo("kept\nas it was");
  }

  @Test
  void aBackupBringsBackWhatWas(@TempDir Path folder) {
    etcd.ctl("put", "restored", "before");
    long revision = etcd.revision();
    etcd.save(folder.resolve("backup"));
    etcd.ctl("put", "restored", "after");
    etcd.restore(folder.resolve("backup"));
    assertThat(etcd.ctl("get", "restored")).isEqualTo("restored\nbefore");
    assertThat(etcd.revision()).isEqualTo(revision);
  }

  @Test
  void aFullOneRefusesUntilItIsEmptied() {
    etcd.fill();
    assertThat(etcd.tryCtl("put", "more", "x").stderr()).contains("database space exceeded");
    etcd.empty();
    assertThat(etcd.ctl("put", "more", "x")).isEqualTo("OK");
  }

  @Test
  void countsRequestsByTheirMethod() {
    EtcdMetrics before = etcd.metrics();
    etcd.ctl("put", "counted", "1");
    assertThat(etcd.metrics().requestsSince(before)).containsEntry("Put", 1L);
  }

  @Test
  void itsWireSlowsFallsSilentAndBreaks() throws Exception {
    try (EtcdProxy wire = etcd.wire()) {
      URI end = wire.endpoints().getFirst();
      assertThat(health(end)).contains("true");

      wire.slow(Duration.ofMillis(100), Duration.ofMillis(20));
      long start = System.nanoTime();
      assertThat(health(end)).contains("true");
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(200));

      wire.silence();
      assertThatThrownBy(() -> health(end)).isInstanceOf(SocketTimeoutException.class);
      wire.cut();
      assertThatThrownBy(() -> health(end)).isInstanceOf(java.io.IOException.class);
      wire.heal();
      assertThat(health(end)).contains("true");
    }
  }

  @Test
  void itsCertificatesAndItsPasswordAreDemanded() {
    Etcd closed = machines.etcd(EtcdSettings.plain().withTls().withPassword("secret"));
    assertThat(closed.ctl("put", "a", "1")).isEqualTo("OK");
    String bare = "ETCDCTL_API=3 etcdctl --dial-timeout=1s --command-timeout=2s --endpoints=";
    assertThat(Command.of("sh", "-c", bare + closed.endpoints().getFirst() + " get a").run().ok())
        .isFalse();
  }

  @Test
  void threeMembersServeWithoutTheirLeader() {
    Etcd three = machines.etcd(EtcdSettings.plain().withMembers(3));
    EtcdMember leader = three.leader();
    leader.kill();
    EtcdMember other =
        three.members().stream().filter(member -> member != leader).findFirst().orElseThrow();
    other.awaitServing();
    assertThat(three.ctl("put", "a", "1")).isEqualTo("OK");
  }

  @Test
  void endsWithItsSet() {
    URI client;
    try (Machines own = Machines.create(Optional.empty())) {
      client = own.etcd(EtcdSettings.plain()).endpoints().getFirst();
    }
    assertThat(Command.of("pgrep", "-f", "advertise-client-urls=" + client).run().stdout())
        .isEmpty();
  }

  private static String health(URI end) throws Exception {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(end.getHost(), end.getPort()));
      socket.setSoTimeout(10_000);
      String request = "GET /health HTTP/1.0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
