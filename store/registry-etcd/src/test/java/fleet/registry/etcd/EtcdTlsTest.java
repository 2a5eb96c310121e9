package fleet.registry.etcd;

import static fleet.registry.etcd.TestRegistries.assertRefused;
import static fleet.registry.etcd.TestRegistries.assertWorks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.testing.Await;
import fleet.registry.RegistryException;
import fleet.registry.etcd.EtcdOptions.Tls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that lets in only those who show a certificate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdTlsTest {

  private final SkippedClock clock = new SkippedClock();
  private OpensslCertificates ours;
  private OpensslCertificates others;
  private EtcdServer server;
  private long copies;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    ours = OpensslCertificates.make(directory.resolve("ours"));
    others = OpensslCertificates.make(directory.resolve("others"));
    server = EtcdServer.start(directory, ours.forServer().toArray(String[]::new));
  }

  @AfterAll
  void end() {
    server.close();
  }

  private Optional<Tls> tls(OpensslCertificates authority, Optional<Tls.Client> client) {
    return Optional.of(new Tls(Optional.of(authority.file("ca.pem")), client));
  }

  private void assertTlsRefused(Optional<Tls> tls, String setting) {
    assertRefused(server.client(), "/fleet/", Optional.empty(), tls).hasMessageContaining(setting);
  }

  @Test
  void certificatesAreShownAndAskedFor() {
    Optional<Tls.Client> own = Optional.of(ours.client());
    try (EtcdRegistry registry =
        TestRegistries.open(server.client(), "/fleet/", Optional.empty(), tls(ours, own))) {
      assertWorks(registry);
    }
    assertTlsRefused(tls(ours, Optional.empty()), "etcd_certfile");
    assertTlsRefused(tls(ours, Optional.of(others.client())), "etcd_certfile");
    assertTlsRefused(tls(others, own), "etcd_cafile");
  }

  @Test
  void aCertificateThatHasEndedIsNamedAtTheStart() throws Exception {
    ours.sign("ended", -1);
    var ended = new Tls.Client(ours.file("ended.pem"), ours.file("ended.key"));
    assertTlsRefused(tls(ours, Optional.of(ended)), ended.certificate() + ", ended at 2");
    try (EtcdRegistry registry =
        TestRegistries.open(
            server.client(), "/fleet/", Optional.empty(), tls(ours, Optional.of(ours.client())))) {
      assertThat(registry.certificateProblem().orElseThrow())
          .contains("client.pem, ends at 2")
          .contains("fleetctl ca etcd");
    }
  }

  @Test
  void aMissingFileIsNamed(@TempDir Path directory) {
    Path missing = directory.resolve("missing.pem");
    assertThatThrownBy(() ->
            TestRegistries.open(
                URI.create("https://127.0.0.1:1"),
                "/fleet/",
                Optional.empty(),
                Optional.of(new Tls(Optional.of(missing), Optional.empty()))))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void anEtcdThatWantsTlsIsToldSo() {
    URI plain = URI.create("http://127.0.0.1:" + server.client().getPort());
    assertRefused(plain, "/fleet/", Optional.empty(), Optional.empty())
        .hasMessageContaining("https");
  }

  @Test
  void certificatesThatAreReplacedAreUsedByNewConnections(@TempDir Path used) throws Exception {
    copy(ours, used);
    Tls.Client shown = new Tls.Client(used.resolve("client.pem"), used.resolve("client.key"));
    try (FaultProxy proxy = new FaultProxy(server.client());
        EtcdRegistry registry =
            EtcdRegistry.open(
                TestRegistries.impatient(
                    proxy.uri(), "/fleet/", Optional.empty(), tls(ours, Optional.of(shown))),
                Registries.timing(clock, TestRegistries.TIMEOUT))) {
      assertWorks(registry);
      copy(others, used);
      assertWorks(registry);
      proxy.resetAll();
      assertThatThrownBy(() -> assertWorks(registry)).hasMessageContaining("etcd_certfile");
      Files.writeString(shown.certificate(), "half a file");
      assertThatThrownBy(() -> assertWorks(registry)).hasMessageContaining("etcd_certfile");
      copy(ours, used);
      Await.until(() -> works(registry));
    }
  }

  /** A connection that was refused is made again after seconds. */
  private boolean works(EtcdRegistry registry) {
    try {
      assertWorks(registry);
      return true;
    } catch (RegistryException e) {
      clock.skip(Duration.ofSeconds(3));
      return false;
    }
  }

  /** Each copy is of another time. */
  private void copy(OpensslCertificates from, Path to) throws IOException {
    for (String name : new String[] {"client.pem", "client.key"}) {
      Path fresh = to.resolve(name + ".new");
      Files.copy(from.file(name), fresh, StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(fresh, FileTime.fromMillis(++copies));
      Files.move(fresh, to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
