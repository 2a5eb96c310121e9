package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.core.machine.Role;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority's key lies in the registry, and only servers can use it. */
class ServerKeysTest {

  private static final Peer PEER = new Peer("m1", Role.AGENT);

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private String everything() {
    return cluster.registry.read("").entries().toString();
  }

  private Path anotherServer() throws IOException {
    return Files.createTempDirectory(directory, "another");
  }

  private StoredAuthority another(Path data, Duration patience) {
    var keys =
        new ServerKeys(cluster.registry, new ServerKeyFile(data), "another", clock, patience);
    return new StoredAuthority(cluster.registry, keys, clock);
  }

  private static IssuedCertificate vouch(StoredAuthority authority) throws TrustException {
    return authority.vouch(PEER, CertificateRequest.of("m1").der());
  }

  /** The attack of C4: who read the registry could sign certificates. */
  @Test
  void whoReadsTheRegistryFindsNoPrivateKey() throws Exception {
    cluster.authority.certificate();

    assertThat(everything()).contains("BEGIN CERTIFICATE").doesNotContain("PRIVATE KEY");
  }

  @Test
  void whatAnOlderVersionLeftInClearIsSealedAndIsTheSameAuthority() throws Exception {
    CertificateAuthority older = CertificateAuthority.create(clock.instant());
    ServerKey any = ServerKey.create();
    AuthorityRecord sealed = older.stored(any);
    String pem =
        new String(
            any.open(sealed.sealedKey(), "authority " + Fingerprint.of(older.certificate())),
            US_ASCII);
    String clear =
        new AuthorityRecord(
                sealed.certificate(), pem, "", "", Optional.empty(), Map.of(), sealed.unknown())
            .json();
    cluster.registry.commit(Transaction.when().put(Keys.AUTHORITY, clear).build());
    assertThat(everything()).contains("PRIVATE KEY");

    assertThat(cluster.authority.seal()).isTrue();

    assertThat(cluster.authority.seal()).isFalse();
    assertThat(everything()).doesNotContain("PRIVATE KEY");
    assertThat(cluster.authority.certificate()).isEqualTo(older.certificate());
    vouch(cluster.authority).certificate().verify(older.certificate().getPublicKey());
  }

  @Test
  void theKeyOfServersIsForTheirOwnerAlone() throws Exception {
    Path data = anotherServer();
    ServerKey made = new ServerKeyFile(data).readOrCreate();

    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("server.key"))))
        .isEqualTo("rw-------");
    assertThat(new ServerKeyFile(data).readOrCreate().id()).isEqualTo(made.id());
    assertThat(made.toString()).doesNotContain(made.hex());
    try (var files = Files.list(data)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void anotherServerIsGivenTheKeyAndNoReaderOfTheRegistryIs() throws Exception {
    X509Certificate authority = cluster.authority.certificate();
    var reader = new Reader();
    String written;
    Path data = anotherServer();
    try (Watch _ = cluster.keys.give();
        Watch _ = cluster.registry.watch("", cluster.registry.read(""), reader)) {
      vouch(another(data, Duration.ofMinutes(1))).certificate().verify(authority.getPublicKey());
      // The request is deleted last, together with its answer.
      written = reader.writtenUntilDeleted(Keys.serverKey("another"));
    }

    ServerKey key = new ServerKeyFile(data).read().orElseThrow();
    assertThat(key.id()).isEqualTo(cluster.keys.own().id());
    assertThat(written)
        .contains(Keys.SERVER_KEYS)
        .doesNotContain(key.hex(), Base64.getEncoder().encodeToString(key.bytes()));
    assertThat(cluster.registry.read(Keys.SERVER_KEYS).entries()).isEmpty();
  }

  private static final class Reader implements Watcher {
    private final BlockingQueue<Delta> heard = new LinkedBlockingQueue<>();

    @Override
    public void changed(Delta delta) {
      heard.add(delta);
    }

    /** All that was written before a key was deleted. */
    String writtenUntilDeleted(String key) throws InterruptedException {
      var written = new StringBuilder();
      Delta next = heard.take();
      while (!next.changes().contains(new Delta.Change.Deleted(key))) {
        written.append(next);
        next = heard.take();
      }
      return written.toString();
    }

    @Override
    public void failed(RegistryException why) {
      throw why;
    }
  }

  @Test
  void aServerThatMadeAKeyOfItsOwnTakesTheClustersAndKeepsTheOther() throws Exception {
    X509Certificate authority = cluster.authority.certificate();
    Path data = anotherServer();
    ServerKey own = new ServerKeyFile(data).readOrCreate();

    try (Watch _ = cluster.keys.give()) {
      vouch(another(data, Duration.ofMinutes(1))).certificate().verify(authority.getPublicKey());
    }

    assertThat(data.resolve("server.key-" + own.id())).exists();
  }

  @Test
  void whereNobodyGivesItTheServerSaysWhatToDo() throws Exception {
    cluster.authority.certificate();
    StoredAuthority another = another(anotherServer(), Duration.ofMillis(1));

    assertThatThrownBy(() -> vouch(another))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("server.key is not the key that the authority's is sealed with")
        .hasMessageContaining("copy its server.key");
    assertThat(another.certificate()).as("is no secret").isEqualTo(cluster.authority.certificate());
    assertThat(cluster.registry.read(Keys.SERVER_KEYS).entries()).isEmpty();
  }

  @Test
  void aMachineThatWasRemovedIsGivenNone() throws Exception {
    cluster.authority.certificate();
    cluster.bindings.bind(new Peer("another", Role.SERVER), "11");
    cluster.bindings.remove("another", new Caller("user root"));

    try (Watch _ = cluster.keys.give()) {
      StoredAuthority another = another(anotherServer(), Duration.ofSeconds(2));
      assertThatThrownBy(() -> vouch(another)).isInstanceOf(TrustException.class);
    }
  }

  @Test
  void whatIsSealedForOneThingIsNotOpenedForAnother() throws Exception {
    ServerKey key = ServerKey.create();
    String sealed = key.seal(new byte[] {1, 2, 3}, "one");

    assertThat(key.open(sealed, "one")).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> key.open(sealed, "other"))
        .isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> ServerKey.create().open(sealed, "one"))
        .isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> key.open("AAAA", "one")).isInstanceOf(GeneralSecurityException.class);
  }
}
