package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.Caller;
import fleet.core.machine.Role;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority of a cluster is replaced while machines come, go and are away. */
class AuthorityRotationTest {

  private static final String AGENT = "a9e17000000000000000000000000001";
  private static final String AWAY = "a9e17000000000000000000000000002";
  private static final Caller OPS = new Caller("ops");

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private AuthorityRotation rotation;
  private Member server;
  private Member agent;

  /** A machine whose identity is kept up to date as fleetd does that. */
  private final class Member implements Issuer, AutoCloseable {
    final IdentityFile file;
    final OwnIdentity own;
    private final Renewal renewal;

    Member(String machine, Role role) throws Exception {
      this(machine, role, clock);
    }

    Member(String machine, Role role, Clock seen) throws Exception {
      file = cluster.file();
      own = new OwnIdentity(first(machine, role), seen);
      renewal = Renewal.start(own, file, this, seen);
    }

    private Identity first(String machine, Role role) throws Exception {
      if (role == Role.SERVER) {
        return file.obtain(machine, this);
      }
      TokenText token = cluster.token(role, EnrollingCluster.DAY);
      return file.obtain(machine, cluster.redeeming(token, machine));
    }

    @Override
    public IssuedCertificate issue(CertificateRequest request)
        throws TrustException, IOException, InterruptedException {
      if (own == null || own.get().peer().role() == Role.SERVER) {
        IssuedCertificate certified =
            cluster.authority.issuerForServer(EnrollingCluster.SERVER).issue(request);
        cluster.bindings.vouched(
            certified.certificate(), Optional.ofNullable(own).map(it -> key(it.get())));
        return certified;
      }
      return cluster.enrolment.renew(own.get().peer(), key(own.get()), request.der());
    }

    @Override
    public Optional<Authorities> report(Identity identity) throws TrustException {
      return Optional.of(
          cluster.enrolment.reported(
              identity.peer(),
              key(identity),
              identity.authorityFingerprint().sha256(),
              identity.trusted().stream().map(Fingerprint::of).map(Fingerprint::sha256).toList(),
              identity.expires()));
    }

    private static String key(Identity identity) {
      return Fingerprint.ofKey(identity.certificate().getPublicKey());
    }

    /** Hears of the authorities as they are, and has followed them. */
    void follows() throws Exception {
      Authorities now = cluster.authority.authorities();
      renewal.hear(now.generation(), Duration.ZERO);
      await(() ->
          own.get().trusted().size() == now.trusted().size()
              && own.get().trusted().containsAll(now.trusted())
              && own.get().authority().equals(now.signing()));
      await(() -> said().equals(Optional.of(now.trusted().size())));
    }

    private Optional<Integer> said() {
      return cluster
          .registry
          .get(Keys.identity(own.get().peer().machine()))
          .map(IdentityRecord::of)
          .flatMap(IdentityRecord::trust)
          .filter(said -> said.authority().equals(own.get().authorityFingerprint().sha256()))
          .map(said -> said.trusts().size());
    }

    @Override
    public void close() {
      renewal.close();
    }
  }

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    rotation = new AuthorityRotation(cluster.registry, cluster.authority, cluster.keys, clock);
    server = new Member(EnrollingCluster.SERVER, Role.SERVER);
    agent = new Member(AGENT, Role.AGENT);
  }

  @AfterEach
  void end() {
    server.close();
    agent.close();
    cluster.close();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private AuthorityRecord stored() {
    return AuthorityRecord.of(cluster.registry.get(Keys.AUTHORITY).orElseThrow());
  }

  private X509Certificate signing() throws TrustException {
    return cluster.authority.authorities().signing();
  }

  private AuthorityStatus status(String... present) {
    return rotation.status(Set.of(present));
  }

  /** All that is there follows, until the new authority signs. */
  private void untilItSigns() throws Exception {
    assertThat(rotation.rotate(false, OPS)).isTrue();
    server.follows();
    agent.follows();
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(status().rotation().orElseThrow().signing()).isTrue();
    server.follows();
  }

  @Test
  void whoIsThereChangesOverAndTheFormerAuthorityCountsNoMore() throws Exception {
    X509Certificate former = signing();
    untilItSigns();

    // The agent has a certificate by the former one, and the server one by the new one.
    assertThat(Handshake.between(agent.own, server.own).seenByServer()).isPresent();
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(status(AGENT).machines()).extracting("machine").containsExactly(AGENT);

    agent.follows();
    Identity late = agent.own.get();
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).isEmpty();
    server.follows();
    agent.follows();

    assertThat(signing()).isNotEqualTo(former);
    assertThat(late.authority()).isEqualTo(signing());
    assertThat(agent.own.get().trusted()).containsExactly(signing());
    assertThat(Handshake.between(agent.own, server.own).seenByServer()).isPresent();
    assertThat(status().machines()).isEmpty();
    assertThat(status().authorities()).extracting("machines").containsExactly(2);
    assertThat(agent.file.read()).contains(agent.own.get());
  }

  @Test
  void theStepsOfItAreToldInWholeSeconds() throws Exception {
    clock.advance(Duration.ofMillis(1));
    untilItSigns();

    AuthorityStatus.Rotation going = status().rotation().orElseThrow();
    assertThat(List.of(going.since(), going.until().orElseThrow()))
        .allMatch(time -> time.equals(time.truncatedTo(ChronoUnit.SECONDS)));
  }

  @Test
  void nothingSignsBeforeAllThatAreThereKnowIt() throws Exception {
    rotation.rotate(false, OPS);
    server.follows();

    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(status(AGENT).rotation().orElseThrow().signing()).isFalse();
    assertThat(status(AGENT).machines())
        .singleElement()
        .satisfies(behind -> {
          assertThat(behind.machine()).isEqualTo(AGENT);
          assertThat(behind.awaited()).isTrue();
        });

    rotation.advance(Set.of(EnrollingCluster.SERVER), false);
    assertThat(stored().rotation().orElseThrow().stage())
        .as("a new leader does not know yet who is there")
        .isEqualTo(AuthorityRecord.Stage.INTRODUCED);
  }

  @Test
  void whoWasAwayComesBackWhileBothCount() throws Exception {
    Identity kept = cluster.joined(AWAY, Role.AGENT).get();
    OwnIdentity away = new OwnIdentity(kept, clock);
    untilItSigns();
    agent.follows();

    assertThat(Handshake.between(away, server.own).seenByServer())
        .as("it knows only the former authority")
        .contains(new Peer(AWAY, Role.AGENT));
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(status().machines())
        .singleElement()
        .satisfies(behind -> {
          assertThat(behind.machine()).isEqualTo(AWAY);
          assertThat(behind.present()).isFalse();
          assertThat(behind.awaited()).isTrue();
        });
  }

  @Test
  void whoIsAwayIsWaitedForUntilItsCertificateHasEnded() throws Exception {
    OwnIdentity away = cluster.joined(AWAY, Role.AGENT);
    untilItSigns();
    agent.follows();

    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).isPresent();

    clock.advance(StoredAuthority.LIFE.plusSeconds(1));
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).isEmpty();
    assertThat(away.get().hasExpired(clock.instant())).isTrue();
  }

  @Test
  void toFinishLosesWhoIsAwayAndNobodyWhoIsThere() throws Exception {
    OwnIdentity away = cluster.joined(AWAY, Role.AGENT);
    untilItSigns();
    assertThat(rotation.rotate(true, OPS)).isTrue();

    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).as("the agent has not renewed yet").isPresent();
    agent.follows();
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).isEmpty();
    server.follows();
    agent.follows();

    assertThatThrownBy(() -> Handshake.between(away, server.own))
        .isInstanceOf(Handshake.FailedException.class);
    assertThat(server.own.believes(away.get().chain())).isFalse();
    assertThat(server.own.believes(agent.own.get().chain())).isTrue();
  }

  @Test
  void tokensOfTheFormerAuthorityEnd() throws Exception {
    TokenText old = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    untilItSigns();
    rotation.advance(Set.of(EnrollingCluster.SERVER), true);

    assertThatThrownBy(() -> cluster.redeeming(old, AWAY).issue(CertificateRequest.of(AWAY)))
        .isInstanceOf(EnrolmentRefusedException.class);
    assertThat(cluster.tokens.list())
        .allSatisfy(token -> assertThat(token.expires()).isBeforeOrEqualTo(clock.instant()));
    assertThatThrownBy(() -> Handshake.joining(new PinnedTrust(old.authority(), clock), server.own))
        .isInstanceOf(Handshake.FailedException.class)
        .hasMessageContaining("its authority was replaced since");

    TokenText fresh = cluster.token(Role.AGENT, EnrollingCluster.DAY);
    assertThat(
            Handshake.joining(new PinnedTrust(fresh.authority(), clock), server.own).seenByClient())
        .isEqualTo(new Peer(EnrollingCluster.SERVER, Role.SERVER));
  }

  @Test
  void aTokenThatIsStillConfiguredIsNoOtherClusters() throws Exception {
    Fingerprint former = Fingerprint.of(signing());
    untilItSigns();
    agent.follows();
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    agent.follows();

    Identity kept = agent.file.read().orElseThrow();
    assertThat(kept.trusted()).containsExactly(signing());
    assertThat(kept.knows(former)).isTrue();
    assertThat(kept.knows(new Fingerprint("ab".repeat(32)))).isFalse();
  }

  @Test
  void theKeyOfTheFormerAuthorityIsKeptNowhere() throws Exception {
    String former = stored().sealedKey();
    untilItSigns();
    assertThat(stored().json()).doesNotContain(former);
  }

  @Test
  void toBeginTwiceIsToGoOn() throws Exception {
    assertThat(rotation.rotate(false, OPS)).isTrue();
    AuthorityRecord begun = stored();
    assertThat(rotation.rotate(false, new Caller("another"))).isFalse();
    assertThat(stored()).isEqualTo(begun);
    assertThat(rotation.rotate(true, OPS)).isTrue();
    assertThat(rotation.rotate(true, OPS)).isFalse();
  }

  @Test
  void withoutAnAuthorityThereIsNothingToReplace() throws Exception {
    try (EnrollingCluster empty = new EnrollingCluster(directory, clock)) {
      var none = new AuthorityRotation(empty.registry, empty.authority, empty.keys, clock);
      assertThatThrownBy(() -> none.rotate(false, OPS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no authority yet");
      assertThat(none.status(Set.of()).authorities()).isEmpty();
    }
  }

  @Test
  void withoutTheServerKeyNothingBegins() throws Exception {
    var keys =
        new ServerKeys(
            cluster.registry,
            new ServerKeyFile(Files.createTempDirectory(directory, "other")),
            "other",
            clock,
            Duration.ofMillis(1));
    var other =
        new AuthorityRotation(
            cluster.registry, new StoredAuthority(cluster.registry, keys, clock), keys, clock);
    assertThatThrownBy(() -> other.rotate(false, OPS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("server.key");
    assertThat(stored().rotation()).isEmpty();
    assertThat(other.status(Set.of()).serverKey()).isFalse();
    assertThat(status().serverKey()).isTrue();
  }

  @Test
  void aMachineWhoseClockIsOffHoldsTheNewAuthorityBack() throws Exception {
    clock.advance(Duration.ofDays(3));
    try (Member slow = new Member(AWAY, Role.AGENT, clock.shifted(Duration.ofDays(-2)))) {
      rotation.rotate(false, OPS);
      server.follows();
      agent.follows();
      slow.renewal.hear(cluster.authority.authorities().generation(), Duration.ZERO);
      await(() -> slow.said().isPresent());

      rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT, AWAY), true);
      assertThat(status(AWAY).machines()).extracting("machine").containsExactly(AWAY);
      assertThat(slow.own.get().trusted()).hasSize(1);
    }
  }

  @Test
  void whoIsRemovedIsNotWaitedFor() throws Exception {
    var _ = cluster.joined(AWAY, Role.AGENT);
    untilItSigns();
    agent.follows();
    cluster.bindings.remove(AWAY, OPS);
    rotation.advance(Set.of(EnrollingCluster.SERVER, AGENT), true);
    assertThat(stored().rotation()).isEmpty();
  }

  @Test
  void noMachineVouchesForAnother() throws Exception {
    Identity insider = agent.own.get();
    X509Certificate forged =
        new CertificateAuthority(insider.key(), insider.certificate())
            .vouch(
                CertificateRequest.newKey().getPublic(),
                new Peer(AWAY, Role.SERVER),
                clock.instant(),
                Duration.ofDays(1));
    var check = new CertificateCheck(clock);
    assertThatThrownBy(() ->
            check.server(
                new X509Certificate[] {forged, insider.certificate()},
                List.of(cluster.authority.certificate())))
        .hasMessageContaining("is not by this cluster's authority");
  }
}
