package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.JoinTokenRequest;
import fleet.core.machine.Role;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine's id belongs to whoever had it first, until an operator says otherwise. */
class IdentityBindingsTest {

  private static final String MACHINE = "a9e17000000000000000000000000001";
  private static final Peer PEER = new Peer(MACHINE, Role.AGENT);
  private static final Caller ROOT = new Caller("user root");

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private TokenText anybodys;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    anybodys = cluster.token(Role.AGENT, EnrollingCluster.DAY.multipliedBy(9));
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private IssuedCertificate enrol(TokenText token, CertificateRequest request)
      throws TrustException {
    return cluster.enrolment.enrol(token.id(), token.secret(), MACHINE, request.der());
  }

  /** Each time with another key, as whoever takes the id of a machine has no other way. */
  private IssuedCertificate enrol(TokenText token) throws TrustException {
    return enrol(token, CertificateRequest.of(MACHINE));
  }

  private TokenText own() throws TrustException {
    JoinTokenRequest wish =
        new JoinTokenRequest(
            Role.AGENT, EnrollingCluster.DAY, OptionalInt.empty(), Optional.of(MACHINE));
    return TokenText.parse(cluster.tokens.create(wish, ROOT).text());
  }

  private IdentityRecord record() {
    return IdentityRecord.of(cluster.registry.get(Keys.identity(MACHINE)).orElseThrow());
  }

  private static String key(IssuedCertificate certified) {
    return Fingerprint.ofKey(certified.certificate().getPublicKey());
  }

  private IssuedCertificate renew(IssuedCertificate shown) throws TrustException {
    return cluster.enrolment.renew(PEER, key(shown), CertificateRequest.of(MACHINE).der());
  }

  @Test
  void theFirstCertificateBindsTheIdToItsKey() throws Exception {
    IssuedCertificate first = enrol(anybodys);

    assertThat(record().key()).isEqualTo(key(first));
    assertThat(record().serial()).isEqualTo(first.certificate().getSerialNumber().toString(16));
    assertThat(record().token()).isEqualTo(anybodys.id());
  }

  /** The attack of H6: any token was good for the id of any machine. */
  @Test
  void aTokenDoesNotBuyTheIdOfAMachineThatIsThere() throws Exception {
    IssuedCertificate first = enrol(anybodys);

    assertThatThrownBy(() -> enrol(anybodys))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("has been in the cluster since")
        .hasMessageContaining("fleetctl machines readmit " + MACHINE);
    assertThat(record().key()).isEqualTo(key(first));
  }

  @Test
  void norTheIdOfAServer() throws Exception {
    cluster.bindings.vouched(cluster.server().get().certificate(), Optional.empty());

    assertThatThrownBy(() ->
            cluster.enrolment.enrol(
                anybodys.id(),
                anybodys.secret(),
                EnrollingCluster.SERVER,
                CertificateRequest.of(EnrollingCluster.SERVER).der()))
        .isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void whoLostTheAnswerAsksAgainForTheSameKeyAndUsesTheTokenOnce() throws Exception {
    CertificateRequest request = CertificateRequest.of(MACHINE);
    JoinTokenRequest wish =
        new JoinTokenRequest(Role.AGENT, EnrollingCluster.DAY, OptionalInt.of(1), Optional.empty());
    TokenText once = TokenText.parse(cluster.tokens.create(wish, ROOT).text());

    IssuedCertificate lost = enrol(once, request);
    assertThat(key(enrol(once, request))).isEqualTo(key(lost));
    assertThatThrownBy(() -> enrol(once)).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void anOperatorLetsAMachineComeWithAnotherKeyOnce() throws Exception {
    IssuedCertificate former = enrol(anybodys);
    cluster.bindings.readmit(MACHINE, ROOT);

    IssuedCertificate next = enrol(anybodys);
    assertThat(record().has(key(next))).isTrue();
    assertThat(record().has(key(former))).as("what the former fleetd had").isFalse();
    assertThatThrownBy(() -> enrol(anybodys)).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void notForEver() throws Exception {
    enrol(anybodys);
    cluster.bindings.readmit(MACHINE, ROOT);
    clock.advance(IdentityBindings.READMISSION);

    assertThatThrownBy(() -> enrol(anybodys)).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void aTokenOfItsOwnSaysTheSameOnce() throws Exception {
    enrol(anybodys);
    clock.advance(Duration.ofMinutes(1));
    TokenText own = own();
    clock.advance(Duration.ofMinutes(1));

    IssuedCertificate next = enrol(own);
    assertThat(record().key()).isEqualTo(key(next));
    assertThatThrownBy(() -> enrol(own)).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void aRenewalGoesOnFromTheKeyBefore() throws Exception {
    IssuedCertificate first = enrol(anybodys);
    IssuedCertificate second = renew(first);
    assertThat(record().has(key(first))).as("its certificate is good for a while").isTrue();

    IssuedCertificate third = renew(second);
    assertThat(record().has(key(third))).isTrue();
    assertThat(record().has(key(first))).isFalse();
    assertThatThrownBy(() -> renew(first))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("is known by another key");
  }

  /** A stolen identity renewed itself for ever. */
  @Test
  void aMachineThatWasRemovedIsNotRenewed() throws Exception {
    IssuedCertificate first = enrol(anybodys);

    assertThat(cluster.bindings.remove(MACHINE, ROOT)).contains(true);
    assertThat(cluster.bindings.remove(MACHINE, ROOT)).contains(false);

    assertThatThrownBy(() -> renew(first))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("was removed from the cluster by user root")
        .hasMessageContaining("fleetctl machines readmit");
    assertThat(CommandRecord.of(cluster.registry.get(Keys.command(MACHINE)).orElseThrow()))
        .isEqualTo(new CommandRecord(MACHINE, CommandRecord.REMOVE, "", "user root"));
  }

  @Test
  void norLetInAgainBeforeAnOperatorSaysSo() throws Exception {
    CertificateRequest request = CertificateRequest.of(MACHINE);
    TokenText earlier = own();
    enrol(anybodys, request);
    clock.advance(Duration.ofMinutes(1));
    cluster.bindings.remove(MACHINE, ROOT);

    for (TokenText token : new TokenText[] {anybodys, earlier}) {
      assertThatThrownBy(() -> enrol(token, request))
          .isInstanceOf(EnrolmentRefusedException.class)
          .hasMessageContaining("was removed");
    }
    cluster.bindings.readmit(MACHINE, ROOT);
    assertThat(record().removal()).as("its former certificate stays worthless").isPresent();
    enrol(anybodys);
    assertThat(record().removal()).isEmpty();
  }

  @Test
  void whatNobodyKnowsIsNotRemoved() {
    assertThat(cluster.bindings.remove("nobody", ROOT)).isEmpty();
    assertThat(cluster.bindings.readmit("../ca", ROOT)).isEmpty();
  }

  @Test
  void aServerDoesNotRemoveItself() {
    assertThatThrownBy(() -> cluster.bindings.remove(EnrollingCluster.SERVER, ROOT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("asking another server");
  }

  @Test
  void aServerThatWasRemovedDoesNotBegin() throws Exception {
    var other = new IdentityBindings(cluster.registry, clock, "another");
    cluster.bindings.vouched(cluster.server().get().certificate(), Optional.empty());
    assertThat(other.remove(EnrollingCluster.SERVER, ROOT)).contains(true);

    assertThatThrownBy(cluster.bindings::requireMember)
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("was removed from the cluster by user root");
    other.readmit(EnrollingCluster.SERVER, ROOT);
    cluster.bindings.requireMember();
    clock.advance(EnrollingCluster.DAY.multipliedBy(2));
    cluster.bindings.requireMember();
  }

  private static String key(Identity identity) {
    return Fingerprint.ofKey(identity.certificate().getPublicKey());
  }

  private IdentityRecord serverRecord() {
    return IdentityRecord.of(
        cluster.registry.get(Keys.identity(EnrollingCluster.SERVER)).orElseThrow());
  }

  private void somebodyLeads() {
    Outcome _ = cluster.registry.commit(Transaction.when().put(Keys.LEADER, "{}").build());
  }

  /** The attack: a copy of a server's disk without its identity, or with one of its own making. */
  @Test
  void aCopyOfAServerDoesNotVouchForItselfInItsPlace() throws Exception {
    Identity first = cluster.server().get();
    cluster.bindings.vouched(first.certificate(), Optional.empty());
    somebodyLeads();
    Identity copy = cluster.server().get();

    for (Optional<String> own : List.of(Optional.<String>empty(), Optional.of(key(copy)))) {
      assertThatThrownBy(() -> cluster.bindings.vouched(copy.certificate(), own))
          .isInstanceOf(EnrolmentRefusedException.class)
          .hasMessageContaining("systemd-machine-id-setup")
          .hasMessageContaining("fleetctl machines readmit " + EnrollingCluster.SERVER);
      assertThat(cluster.bindings.objection(own)).isPresent();
    }
    assertThat(serverRecord().key()).isEqualTo(key(first));
    assertThat(cluster.bindings.objection(Optional.of(key(first)))).isEmpty();
  }

  @Test
  void aServerThatLostItsKeyComesOnceAnOperatorSaysSoOrWhereNobodyLeads() throws Exception {
    Identity first = cluster.server().get();
    cluster.bindings.vouched(first.certificate(), Optional.empty());
    Identity second = cluster.server().get();
    cluster.bindings.vouched(second.certificate(), Optional.empty());
    assertThat(serverRecord().key()).isEqualTo(key(second));
    somebodyLeads();
    Identity third = cluster.server().get();
    new IdentityBindings(cluster.registry, clock, "another").readmit(EnrollingCluster.SERVER, ROOT);

    cluster.bindings.vouched(third.certificate(), Optional.empty());

    assertThat(serverRecord().key()).isEqualTo(key(third));
    assertThat(serverRecord().readmitUntil()).as("once").isEmpty();
    assertThat(cluster.bindings.objection(Optional.of(key(second)))).isPresent();
  }

  @Test
  void aServerReplacesItsKeyAlsoWhereTheAnswersAreLost() throws Exception {
    Identity kept = cluster.server().get();
    cluster.bindings.vouched(kept.certificate(), Optional.empty());
    somebodyLeads();

    for (int i = 0; i < 3; i++) {
      Identity next = cluster.server().get();
      cluster.bindings.vouched(next.certificate(), Optional.of(key(kept)));
      assertThat(serverRecord().key()).isEqualTo(key(next));
    }
  }

  @Test
  void aMachineOfAnOlderVersionIsBoundByItsFirstRenewal() throws Exception {
    IssuedCertificate certified =
        cluster.authority.vouch(PEER, CertificateRequest.of(MACHINE).der());

    IssuedCertificate renewed = renew(certified);

    assertThat(record().key()).isEqualTo(key(renewed));
    assertThat(record().formerKey()).isEqualTo(key(certified));
    assertThatThrownBy(() -> enrol(anybodys)).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void theFirstKeyThatIsSeenIsBound() {
    cluster.bindings.bind(PEER, "11");
    cluster.bindings.bind(PEER, "22");

    assertThat(record().key()).isEqualTo("11");
    assertThat(IdentityBindings.objection(MACHINE, record(), "11")).isEqualTo(Optional.empty());
    assertThat(IdentityBindings.objection(MACHINE, record(), "")).isPresent();
  }
}
