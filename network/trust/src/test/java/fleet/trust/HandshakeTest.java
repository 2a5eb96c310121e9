package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes with real certificates over real TLS, and who gets through to whom. */
class HandshakeTest {

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
  void anAgentAndAServerKnowEachOther() throws Exception {
    Handshake handshake = Handshake.between(cluster.joined(MACHINE, Role.AGENT), cluster.server());

    assertThat(handshake.seenByServer()).contains(new Peer(MACHINE, Role.AGENT));
    assertThat(handshake.seenByClient()).isEqualTo(new Peer(EnrollingCluster.SERVER, Role.SERVER));
  }

  @Test
  void serversTrustEachOther() throws Exception {
    OwnIdentity joined = cluster.joined(MACHINE, Role.SERVER);

    assertThat(Handshake.between(cluster.server(), joined).seenByClient())
        .isEqualTo(new Peer(MACHINE, Role.SERVER));
  }

  @Test
  void anAgentIsNotTakenForAServer() throws Exception {
    OwnIdentity one = cluster.joined(MACHINE, Role.AGENT);
    OwnIdentity other = cluster.joined("another", Role.AGENT);

    assertThatThrownBy(() -> Handshake.between(one, other))
        .isInstanceOf(Handshake.FailedException.class)
        .hasMessageContaining("machine another passes itself off as a server");
  }

  @Test
  void aMachineOfAnotherClusterIsNotLetIn() throws Exception {
    try (EnrollingCluster elsewhere = new EnrollingCluster(directory, clock)) {
      OwnIdentity stranger = elsewhere.joined(MACHINE, Role.SERVER);
      OwnIdentity server = cluster.server();

      assertThatThrownBy(() -> Handshake.between(server, stranger))
          .hasMessageContaining("is not by this cluster's authority");
      // Lets the server be any, so that it is the server who refuses.
      OwnIdentity believesAll = new OwnIdentity(withAuthority(stranger.get(), server.get()), clock);
      assertThatThrownBy(() -> Handshake.between(believesAll, server))
          .hasMessageContaining("server: Optional[the certificate of")
          .hasMessageContaining("is not by this cluster's authority");
    }
  }

  private static Identity withAuthority(Identity identity, Identity other) {
    return new Identity(identity.peer(), identity.key(), identity.certificate(), other.authority());
  }

  @Test
  void aMachineWithATokenFindsItsCluster() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    Handshake handshake =
        Handshake.joining(new PinnedTrust(token.authority(), clock), cluster.server());

    assertThat(handshake.seenByClient().machine()).isEqualTo(EnrollingCluster.SERVER);
    assertThat(handshake.seenByServer()).isEmpty();
  }

  @Test
  void aTokenLeadsToNoOtherCluster() throws Exception {
    try (EnrollingCluster elsewhere = new EnrollingCluster(directory, clock)) {
      PinnedTrust trust =
          new PinnedTrust(elsewhere.token(Role.AGENT, EnrollingCluster.DAY).authority(), clock);

      assertThatThrownBy(() -> Handshake.joining(trust, cluster.server()))
          .hasMessageContaining("the server is of another cluster than the token");
    }
  }

  /** The authority's certificate is no secret: to show it is not enough. */
  @Test
  void aServerCannotBorrowAnAuthority() throws Exception {
    try (EnrollingCluster elsewhere = new EnrollingCluster(directory, clock)) {
      TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);
      OwnIdentity liar =
          new OwnIdentity(withAuthority(elsewhere.server().get(), cluster.server().get()), clock);

      assertThatThrownBy(() -> Handshake.joining(new PinnedTrust(token.authority(), clock), liar))
          .hasMessageContaining("is not by this cluster's authority");
    }
  }

  @Test
  void anAgentCannotTakeMachinesIn() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    OwnIdentity agent = cluster.joined(MACHINE, Role.AGENT);

    assertThatThrownBy(() -> Handshake.joining(new PinnedTrust(token.authority(), clock), agent))
        .hasMessageContaining("passes itself off as a server");
  }

  @ParameterizedTest
  @ValueSource(ints = {-20, -1, 1, 20})
  void clocksMayBeHoursApart(int hours) throws Exception {
    SetClock other = clock.shifted(Duration.ofHours(hours));
    OwnIdentity agent = new OwnIdentity(cluster.joined(MACHINE, Role.AGENT).get(), other);

    assertThat(Handshake.between(agent, cluster.server()).seenByServer()).isPresent();
  }

  @Test
  void aClockThatIsFarOffIsNamed() throws Exception {
    SetClock other = clock.shifted(Duration.ofDays(-2));
    OwnIdentity agent = new OwnIdentity(cluster.joined(MACHINE, Role.AGENT).get(), other);

    assertThatThrownBy(() -> Handshake.between(agent, cluster.server()))
        .hasMessageContaining("check the clocks");
  }

  @Test
  void anIdentityEnds() throws Exception {
    OwnIdentity agent = cluster.joined(MACHINE, Role.AGENT);
    clock.advance(StoredAuthority.LIFE.plusSeconds(1));

    assertThatThrownBy(() -> Handshake.between(agent, cluster.server()))
        .hasMessageContaining("was good until");
  }

  @Test
  void anotherIdentityTakesOverWithoutNewContexts() throws Exception {
    OwnIdentity agent = cluster.joined(MACHINE, Role.AGENT);
    var client = Handshake.context(agent);
    var server = Handshake.context(cluster.server());
    Handshake.between(client, server);

    agent.replace(cluster.joined(MACHINE, Role.SERVER).get());
    client.getClientSessionContext().setSessionTimeout(1);
    client.getClientSessionContext().setSessionCacheSize(1);

    assertThat(Handshake.between(client, server).seenByServer())
        .isEqualTo(Optional.of(new Peer(MACHINE, Role.SERVER)));
  }
}
