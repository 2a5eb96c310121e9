package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import fleet.registry.Entry;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.etcd.EtcdOptions.Login;
import fleet.registry.etcd.EtcdOptions.Tls;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Being let in by etcd, and being told why not. */
class AccessTest {

  @TempDir Path directory;

  private static EtcdRegistry open(
      URI etcd, String prefix, Optional<Login> login, Optional<Tls> tls) {
    return EtcdRegistry.open(
        new EtcdOptions(
            List.of(etcd),
            prefix,
            "one",
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            login,
            tls));
  }

  private static void assertWorks(EtcdRegistry registry) {
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("a", registry.read(""), recorder)) {
      var outcome = registry.commit(Transaction.when().put("a", "1").build());
      assertThat(outcome).isInstanceOf(Committed.class);
      assertThat(recorder.next().revision()).isEqualTo(outcome.revision());
    }
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(
      URI etcd, String prefix, Optional<Login> login, Optional<Tls> tls) {
    return assertThatThrownBy(() -> open(etcd, prefix, login, tls).close())
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("etcd at " + etcd)
        .hasMessageNotContaining("\n");
  }

  @Test
  void certificatesAreShownAndAskedFor() throws Exception {
    Certificates ours = Certificates.make(directory.resolve("ours"));
    Certificates others = Certificates.make(directory.resolve("others"));
    Optional<Path> authority = Optional.of(ours.file("ca.pem"));
    try (EtcdServer server = EtcdServer.start(directory, ours.forServer().toArray(String[]::new))) {
      URI etcd = server.client();
      try (EtcdRegistry registry =
          open(
              etcd,
              "/fleet/",
              Optional.empty(),
              Optional.of(new Tls(authority, Optional.of(ours.client()))))) {
        assertWorks(registry);
      }
      assertRefused(
              etcd, "/fleet/", Optional.empty(), Optional.of(new Tls(authority, Optional.empty())))
          .hasMessageContaining("etcd_certfile");
      assertRefused(
              etcd,
              "/fleet/",
              Optional.empty(),
              Optional.of(new Tls(authority, Optional.of(others.client()))))
          .hasMessageContaining("etcd_certfile");
      assertRefused(
              etcd,
              "/fleet/",
              Optional.empty(),
              Optional.of(new Tls(Optional.of(others.file("ca.pem")), Optional.of(ours.client()))))
          .hasMessageContaining("etcd_cafile");
    }
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = directory.resolve("missing.pem");
    assertThatThrownBy(() ->
            open(
                URI.create("https://127.0.0.1:1"),
                "/fleet/",
                Optional.empty(),
                Optional.of(new Tls(Optional.of(missing), Optional.empty()))))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void aUserSeesItsPrefixAndNothingElse() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory)) {
      URI etcd = server.client();
      enableAuth(etcd);
      Optional<Login> fleet = Optional.of(new Login("fleet", "secret"));
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

  private static void enableAuth(URI etcd) {
    try (Client client = Client.builder().endpoints(etcd).build()) {
      Auth auth = client.getAuthClient();
      auth.userAdd(text("root"), text("root")).join();
      auth.userGrantRole(text("root"), text("root")).join();
      auth.userAdd(text("fleet"), text("secret")).join();
      auth.roleAdd(text("fleet")).join();
      auth.roleGrantPermission(
              text("fleet"), text("/fleet/"), text("/fleet0"), Permission.Type.READWRITE)
          .join();
      auth.userGrantRole(text("fleet"), text("fleet")).join();
      auth.authEnable().join();
    }
  }

  private static ByteSequence text(String text) {
    return KeySpace.value(text);
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
  void anEtcdThatWantsTlsIsToldSo() throws Exception {
    Certificates ours = Certificates.make(directory.resolve("ours"));
    try (EtcdServer server = EtcdServer.start(directory, ours.forServer().toArray(String[]::new))) {
      URI plain = URI.create("http://127.0.0.1:" + server.client().getPort());
      assertRefused(plain, "/fleet/", Optional.empty(), Optional.empty())
          .hasMessageContaining("https");
    }
  }

  @Test
  void whoNeverAnswersIsToldSo() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertRefused(
              URI.create("http://127.0.0.1:" + silent.getLocalPort()),
              "/fleet/",
              Optional.empty(),
              Optional.empty())
          .hasMessageContaining("did not answer in time");
    }
  }

  @Test
  void deadEndpointsBesideOneThatLivesDoNotMatter() throws Exception {
    try (EtcdServer server = EtcdServer.start(directory);
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int nobody = ServerPorts.take(1).getFirst();
      List<URI> endpoints =
          List.of(
              URI.create("http://127.0.0.1:" + nobody),
              URI.create("http://127.0.0.1:" + silent.getLocalPort()),
              server.client());
      long begun = System.nanoTime();
      try (EtcdRegistry registry = Registries.open(endpoints, "one", Duration.ofSeconds(1))) {
        for (int i = 0; i < 5; i++) {
          assertWorks(registry);
        }
      }
      // Were they asked each time, it would be a second and more each time.
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void anEtcdWithoutQuorumIsToldSo() throws Exception {
    List<EtcdServer> members = EtcdServer.cluster(directory, 3);
    try {
      members.get(0).kill();
      members.get(1).kill();
      URI etcd = members.get(2).client();
      assertRefused(etcd, "/fleet/", Optional.empty(), Optional.empty())
          .hasMessageContaining("has no quorum");
    } finally {
      members.forEach(EtcdServer::close);
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

  /** With a JWT nothing but its age counts; etcd's simple tokens live on as they are used. */
  @Test
  void aTokenThatRunsOutIsAskedForAnew() throws Exception {
    Certificates keys = Certificates.make(directory.resolve("keys"));
    keys.openssl("genrsa -out jwt.key 2048");
    keys.openssl("rsa -in jwt.key -pubout -out jwt.pub");
    String token =
        "jwt,pub-key=%s,priv-key=%s,sign-method=RS256,ttl=1s"
            .formatted(keys.file("jwt.pub"), keys.file("jwt.key"));
    assertOutlivesItsToken("--auth-token", token);
  }

  @Test
  void aSimpleTokenThatRunsOutIsAskedForAnew() throws Exception {
    assertOutlivesItsToken("--auth-token-ttl", "1");
  }

  private void assertOutlivesItsToken(String... options) throws Exception {
    try (EtcdServer server = EtcdServer.start(directory, options);
        FaultProxy proxy = new FaultProxy(server.client())) {
      enableAuth(server.client());
      Optional<Login> fleet = Optional.of(new Login("fleet", "secret"));
      try (EtcdRegistry registry = open(proxy.uri(), "/fleet/", fleet, Optional.empty())) {
        var lease = registry.grant(Duration.ofSeconds(30));
        Recorder recorder = new Recorder();
        try (Watch _ = registry.watch("k", registry.read("k"), recorder)) {
          for (int i = 0; i < 2; i++) {
            awaitEndOfToken();
            assertThat(lease.renew()).isTrue();
            Transaction put = Transaction.when().put("k", "" + i, lease).build();
            recorder.until(registry.commit(put).revision());
            awaitEndOfToken();
            assertWorks(registry);
            awaitEndOfToken();
            proxy.resetAll();
          }
        }
        awaitEndOfToken();
        lease.revoke();
        assertThat(registry.get("k")).isEmpty();
      }
    }
  }

  /** Nobody is told of it. */
  private static void awaitEndOfToken() throws InterruptedException {
    Thread.sleep(1_500);
  }

  @Test
  void certificatesThatAreReplacedAreUsedByNewConnections() throws Exception {
    Certificates ours = Certificates.make(directory.resolve("ours"));
    Certificates others = Certificates.make(directory.resolve("others"));
    Path used = Files.createDirectories(directory.resolve("used"));
    copy(ours, used);
    try (EtcdServer server = EtcdServer.start(directory, ours.forServer().toArray(String[]::new));
        FaultProxy proxy = new FaultProxy(server.client());
        EtcdRegistry registry =
            open(
                proxy.uri(),
                "/fleet/",
                Optional.empty(),
                Optional.of(
                    new Tls(
                        Optional.of(ours.file("ca.pem")),
                        Optional.of(
                            new Tls.Client(
                                used.resolve("client.pem"), used.resolve("client.key"))))))) {
      assertWorks(registry);
      copy(others, used);
      assertWorks(registry);
      proxy.resetAll();
      assertThatThrownBy(() -> assertWorks(registry)).hasMessageContaining("etcd_certfile");
      Files.writeString(used.resolve("client.pem"), "half a file");
      assertThatThrownBy(() -> assertWorks(registry)).hasMessageContaining("etcd_certfile");
      copy(ours, used);
      assertWorks(registry);
    }
  }

  private static void copy(Certificates from, Path to) throws IOException {
    for (String name : List.of("client.pem", "client.key")) {
      Path fresh = to.resolve(name + ".new");
      Files.copy(from.file(name), fresh, StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(fresh, FileTime.from(Instant.now()));
      Files.move(fresh, to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
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
