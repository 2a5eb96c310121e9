package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Role;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrolmentTest {

  private static final String MACHINE = "a9e17000000000000000000000000001";

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

  @Test
  void serversThatBeginTogetherMakeOneAuthority() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<X509Certificate> begin =
          () -> new StoredAuthority(cluster.registry, cluster.keys, clock).certificate();

      List<Future<X509Certificate>> made = threads.invokeAll(List.of(begin, begin, begin, begin));

      assertThat(made.stream().map(Future::resultNow).distinct()).hasSize(1);
    }
  }

  @Test
  void theAuthorityIsMadeWhenSomebodyNeedsIt() throws Exception {
    assertThat(cluster.registry.get(Keys.AUTHORITY)).isEmpty();

    X509Certificate made = cluster.authority.certificate();

    assertThat(cluster.registry.get(Keys.AUTHORITY)).isPresent();
    assertThat(cluster.authority.certificate()).isEqualTo(made);
    assertThat(made.getNotAfter().toInstant())
        .isAfter(clock.instant().plus(Duration.ofDays(29 * 365)));
  }

  @Test
  void aDamagedAuthoritySaysWhatToDo() {
    cluster.registry.commit(
        Transaction.when()
            .put(Keys.AUTHORITY, "{\"format\":1,\"certificate\":\"x\",\"key\":\"y\"}")
            .build());

    assertThatThrownBy(cluster.authority::certificate)
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("key ca of the registry")
        .hasMessageContaining("restore it");
  }

  @Test
  void aRequestForAnothersKeyIsRefused() throws Exception {
    byte[] request = CertificateRequest.of(MACHINE).der();
    request[request.length - 5] ^= 1;
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThatThrownBy(() -> cluster.enrolment.enrol(token.id(), token.secret(), MACHINE, request))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("certificate request");
    assertThatThrownBy(
            () -> cluster.enrolment.enrol(token.id(), token.secret(), MACHINE, new byte[] {1}))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void aMachineIdIsOne() throws Exception {
    byte[] request = CertificateRequest.of(MACHINE).der();
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThatThrownBy(() ->
            cluster.enrolment.enrol(token.id(), token.secret(), "x,OU=server,O=fleet", request))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("a machine's id has");
  }

  /** The token tells what a machine is to be, not the request. */
  @Test
  void theRequestDecidesNothing() throws Exception {
    byte[] request = CertificateRequest.of(EnrollingCluster.SERVER).der();
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    IssuedCertificate certified =
        cluster.enrolment.enrol(token.id(), token.secret(), MACHINE, request);

    assertThat(Peer.of(certified.certificate())).isEqualTo(new Peer(MACHINE, Role.AGENT));
  }

  @Test
  void aRenewalKeepsMachineAndRole() throws Exception {
    Peer peer = new Peer(MACHINE, Role.AGENT);
    clock.advance(Duration.ofDays(300));

    IssuedCertificate certified =
        cluster.enrolment.renew(peer, "ab", CertificateRequest.of(MACHINE).der());

    assertThat(Peer.of(certified.certificate())).isEqualTo(peer);
    assertThat(certified.certificate().getNotAfter().toInstant())
        .isEqualTo(clock.instant().plus(StoredAuthority.LIFE));
  }
}
