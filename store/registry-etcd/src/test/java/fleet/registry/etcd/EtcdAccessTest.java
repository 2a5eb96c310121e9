package fleet.registry.etcd;

import static fleet.registry.etcd.TestRegistries.assertGivenUp;
import static fleet.registry.etcd.TestRegistries.assertRefused;
import static fleet.registry.etcd.TestRegistries.assertWorks;
import static fleet.registry.etcd.TestRegistries.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.etcd.EtcdOptions.Login;
import fleet.registry.etcd.EtcdOptions.Tls;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Maintenance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Being let in by etcd, and being told why not. */
class EtcdAccessTest {

  @TempDir Path directory;

  @Test
  void aUserSeesItsPrefixAndNothingElse() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory)) {
      URI etcd = server.client();
      Users.enable(etcd);
      Optional<Login> fleet = Optional.of(Users.FLEET);
      try (EtcdRegistry registry = open(etcd, "/fleet/", fleet, Optional.empty())) {
        assertWorks(registry);
      }
      assertRefused(etcd, "/other/", fleet, Optional.empty())
          .hasMessageContaining("refuses access");
      assertRefused(etcd, "/fleet/", Optional.of(new Login("fleet", "wrong")), Optional.empty())
          .hasMessageContaining("refuses access");
      assertRefused(etcd, "/fleet/", Optional.empty(), Optional.empty())
          .hasMessageContaining("refuses access");
    }
  }

  @Test
  void nobodyThereIsToldSo() {
    int port = ServerPorts.take(1).getFirst();
    assertRefused(
            URI.create("http://127.0.0.1:" + port), "/fleet/", Optional.empty(), Optional.empty())
        .hasMessageContaining("cannot be reached");
  }

  @Test
  void whatIsNotEtcdIsToldSo() throws Exception {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.start();
    try {
      URI plain = URI.create("http://127.0.0.1:" + web.getAddress().getPort());
      assertRefused(plain, "/fleet/", Optional.empty(), Optional.empty())
          .hasMessageContaining("is not etcd");
    } finally {
      web.stop(0);
    }
  }

  @Test
  void anEtcdWithoutTlsIsToldSo() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory)) {
      URI tls = URI.create("https://127.0.0.1:" + server.client().getPort());
      assertRefused(
              tls,
              "/fleet/",
              Optional.empty(),
              Optional.of(new Tls(Optional.empty(), Optional.empty())))
          .hasMessageContaining("does not speak TLS");
    }
  }

  @Test
  void whoNeverAnswersIsToldSo() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertGivenUp(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
          .hasMessageContaining("did not answer in time");
    }
  }

  /** Were they asked each time, each time would take a time-out and more. */
  @Test
  void deadEndpointsBesideOneThatLivesDoNotMatter() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory);
        FaultProxy refusing = new FaultProxy(server.client());
        FaultProxy silent = new FaultProxy(server.client())) {
      refusing.cut();
      silent.silence();
      List<URI> endpoints = List.of(refusing.uri(), silent.uri(), server.client());
      Duration timeout = Duration.ofSeconds(1);
      // For this clock each answer is prompt.
      ConnectionTimeouts timing = Registries.timing(() -> 0, timeout);
      try (EtcdRegistry registry =
          EtcdRegistry.open(Registries.options(endpoints, "one", timeout, timeout), timing)) {
        assertWorks(registry, "the first");
        for (int i = 0; i < 5; i++) {
          assertWorks(registry, "later");
        }
        assertThat(silent.heldRequests("later")).as("of 5").isLessThan(5);
      }
    }
  }

  @Test
  void anEtcdWithoutQuorumIsToldSo() throws Exception {
    List<EtcdServer> members = EtcdServer.cluster(directory, 3);
    try {
      members.get(0).kill();
      members.get(1).kill();
      URI etcd = members.get(2).client();
      awaitNoLeader(etcd);
      assertGivenUp(etcd).hasMessageContaining("has no quorum");
    } finally {
      members.forEach(EtcdServer::close);
    }
  }

  private static void awaitNoLeader(URI member) throws InterruptedException {
    try (Client client = Client.builder().endpoints(member).build()) {
      Maintenance maintenance = client.getMaintenanceClient();
      Await.until(() -> maintenance.statusMember("" + member).join().getLeader() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fleet", "/fleet", "/a/b/", "\u00fc/"})
  void anyPrefixHasItsOwnKeys(String prefix) throws Exception {
    try (EtcdServer server = EtcdServer.start(directory);
        EtcdRegistry neighbour =
            open(server.client(), "neighbour/", Optional.empty(), Optional.empty());
        EtcdRegistry registry = open(server.client(), prefix, Optional.empty(), Optional.empty())) {
      assertWorks(registry);
      neighbour.commit(Transaction.when().put("b", "1").build());
      List<String> foreign =
          prefix.isEmpty() ? List.of("a", "neighbour/.store/id", "neighbour/b") : List.of("a");
      assertThat(registry.read("").entries())
          .extracting(Entry::key)
          .filteredOn(key -> !key.startsWith("neighbour/.store/writer"))
          .isEqualTo(foreign);
      assertThat(registry.read("a").entries()).hasSize(1);
    }
  }

  @Test
  void aPrefixIsNoOtherOnesBeginning() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory);
        EtcdRegistry one = open(server.client(), "/fleet", Optional.empty(), Optional.empty());
        EtcdRegistry two = open(server.client(), "/fleet2", Optional.empty(), Optional.empty());
        EtcdRegistry same = open(server.client(), "/fleet/", Optional.empty(), Optional.empty())) {
      two.commit(Transaction.when().put("b", "1").build());
      assertThat(one.read("").entries()).isEmpty();
      assertThat(one.storeId()).isEqualTo(same.storeId()).isNotEqualTo(two.storeId());
    }
  }

  @Test
  void endpointsAreChecked() {
    for (String wrong : List.of("https://a:2379", "a:2379", "http:/a")) {
      assertThatThrownBy(
              () -> open(URI.create(wrong), "/fleet/", Optional.empty(), Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong);
    }
  }
}
