package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void nobodyThereIsToldSo() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertRefused(
            URI.create("http://127.0.0.1:" + port), "/fleet/", Optional.empty(), Optional.empty())
        .hasMessageContaining("cannot be reached");
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
