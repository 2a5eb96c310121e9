package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.core.machine.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The attack of somebody who kept the certificate of a server that was thrown out, and waits for
 * machines to call: whoever they take for the leader starts what he likes there.
 */
class RemovedServerTest {

  private static final String AGENT = "a9e17000000000000000000000000001";
  private static final String OTHER_SERVER = "5e5e5e5e000000000000000000000002";
  private static final Caller ROOT = new Caller("user root");

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private OwnIdentity server;
  private OwnIdentity agent;
  private IdentityBindings other;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    server = cluster.server();
    cluster.bindings.vouched(server.get().certificate(), Optional.empty());
    other = new IdentityBindings(cluster.registry, clock, OTHER_SERVER);
    agent = cluster.joined(AGENT, Role.AGENT);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  /** Tells a machine of the authorities, as the leader does. */
  private Issuer telling() {
    return new Issuer() {
      @Override
      public IssuedCertificate issue(CertificateRequest request) {
        throw new AssertionError("nothing is due");
      }

      @Override
      public Optional<Authorities> report(Identity own) throws TrustException {
        return Optional.of(cluster.authority.authorities());
      }
    };
  }

  @Test
  void isBelievedByNoMachineThatHasHeardOfIt() throws Exception {
    assertThat(Handshake.between(agent, server).seenByClient().machine())
        .isEqualTo(EnrollingCluster.SERVER);
    assertThat(agent.believes(server.get().chain())).isTrue();
    CountDownLatch told = new CountDownLatch(1);
    agent.onDistrust(told::countDown);
    long before = cluster.authority.authorities().generation();
    IdentityFile file = cluster.file();

    assertThat(other.remove(EnrollingCluster.SERVER, ROOT)).contains(true);

    long now = cluster.authority.authorities().generation();
    assertThat(now).as("all hear of it").isNotEqualTo(before);
    try (Renewal renewal = Renewal.start(agent, file, telling(), clock)) {
      renewal.hear(now, Duration.ZERO);
      told.await();
    }
    assertThat(agent.believes(server.get().chain())).as("connections end").isFalse();
    isRefused(agent);
    isRefused(new OwnIdentity(file.read().orElseThrow(), clock));
  }

  @Test
  void norByOneThatComesLater() throws Exception {
    other.remove(EnrollingCluster.SERVER, ROOT);

    isRefused(cluster.joined("a9e17000000000000000000000000002", Role.AGENT));
  }

  @Test
  void isBelievedWithTheKeyThatItMakesWhenItComesBack() throws Exception {
    other.remove(EnrollingCluster.SERVER, ROOT);
    OwnIdentity later = cluster.joined("a9e17000000000000000000000000002", Role.AGENT);
    other.readmit(EnrollingCluster.SERVER, ROOT);
    cluster.bindings.requireMember();

    OwnIdentity back = cluster.server();
    cluster.bindings.vouched(back.get().certificate(), Optional.empty());

    assertThat(Handshake.between(later, back).seenByServer()).isPresent();
    isRefused(later);
    assertThat(cluster.authority.authorities().hasRemoved(server.get().certificate())).isTrue();
    assertThat(cluster.authority.authorities().hasRemoved(back.get().certificate())).isFalse();
  }

  @Test
  void isForgottenOnceItsCertificatesHaveEnded() throws Exception {
    other.remove(EnrollingCluster.SERVER, ROOT);
    clock.advance(StoredAuthority.LIFE.plusSeconds(1));
    other.readmit(EnrollingCluster.SERVER, ROOT);
    cluster.bindings.requireMember();
    OwnIdentity back = cluster.server();
    cluster.bindings.vouched(back.get().certificate(), Optional.empty());

    other.remove(EnrollingCluster.SERVER, ROOT);

    assertThat(cluster.authority.authorities().removedServers()).hasSize(1);
  }

  private void isRefused(OwnIdentity by) {
    assertThatThrownBy(() -> Handshake.between(by, server))
        .isInstanceOf(Handshake.FailedException.class)
        .hasMessageContaining(
            "machine " + EnrollingCluster.SERVER + " was removed from the cluster");
  }
}
