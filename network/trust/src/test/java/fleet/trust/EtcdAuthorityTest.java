package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.EtcdCertificates;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates for etcd are by an authority that vouches for no machine. */
class EtcdAuthorityTest {

  private static final Caller OPS = new Caller("ops");

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private AuthorityRotation port;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    port = new AuthorityRotation(cluster.registry, cluster.authority, cluster.keys, clock);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void aMemberIsKnownByItsNamesAndFleetdIsAClient() throws Exception {
    EtcdCertificates made = port.certifyEtcd(List.of("10.0.0.1", "one.example", "fd00::1"), OPS);

    X509Certificate authority = Pem.certificate(made.authority());
    X509Certificate member = Pem.certificate(made.certificate());
    X509Certificate client = Pem.certificate(made.clientCertificate());
    assertThat(CertificateCheck.isBy(member, authority)).isTrue();
    assertThat(CertificateCheck.isBy(client, authority)).isTrue();
    assertThat(member.getSubjectAlternativeNames().stream().map(List::getLast).map(String::valueOf))
        .containsExactly("10.0.0.1", "one.example", "fd00:0:0:0:0:0:0:1", "127.0.0.1", "localhost");
    assertThat(member.getExtendedKeyUsage()).hasSize(2);
    assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    KeyProof.requireOneKey(Pem.key(made.key()), member.getPublicKey());
    KeyProof.requireOneKey(Pem.key(made.clientKey()), client.getPublicKey());
    assertThat(member.getNotAfter().toInstant()).isEqualTo(made.ends());
    assertThat(port.status(Set.of()).etcd()).containsEntry("10.0.0.1", made.ends());
    assertThat(made.toString()).doesNotContain("PRIVATE");
  }

  /** Else each machine of the cluster could write to etcd, and be root on all others. */
  @Test
  void noMachineIsVouchedForByItAndItByNoMachines() throws Exception {
    Identity agent = cluster.joined("a9e17000000000000000000000000001", Role.AGENT).get();
    EtcdCertificates made = port.certifyEtcd(List.of("one"), OPS);
    X509Certificate authority = Pem.certificate(made.authority());

    assertThat(authority).isNotEqualTo(cluster.authority.certificate());
    assertThat(CertificateCheck.isBy(agent.certificate(), authority)).isFalse();
    X509Certificate[] shown = {Pem.certificate(made.clientCertificate()), authority};
    assertThatThrownBy(() ->
            new CertificateCheck(clock).client(shown, List.of(cluster.authority.certificate())))
        .hasMessageContaining("is not by this cluster's authority");
  }

  @Test
  void allMembersHaveOneAuthorityAndItsKeyIsNowhereInClear() throws Exception {
    EtcdCertificates one = port.certifyEtcd(List.of("one"), OPS);
    EtcdCertificates two = port.certifyEtcd(List.of("two"), OPS);

    assertThat(one.authority()).isEqualTo(two.authority());
    assertThat(one.key()).isNotEqualTo(two.key());
    assertThat(cluster.registry.read("").entries())
        .extracting(Entry::value)
        .noneMatch(value -> value.contains("PRIVATE KEY"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "..", "one,O=x", "one/two", "1.2.3.4.5:x", "-one", "*"})
  void namesThatAreNoneAreRefused(String name) {
    assertThatThrownBy(() -> port.certifyEtcd(List.of("one", name), OPS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is neither a name nor an address");
  }

  @Test
  void aMemberHasSomeNames() {
    assertThatThrownBy(() -> port.certifyEtcd(List.of(), OPS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> port.certifyEtcd(new ArrayList<>(Collections.nCopies(33, "one")), OPS))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
