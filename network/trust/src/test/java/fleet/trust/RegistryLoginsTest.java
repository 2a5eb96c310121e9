package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.cluster.CertificateHolder;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.LoginRefusedException;
import fleet.cluster.NewInvitation;
import fleet.cluster.PersonCertificate;
import fleet.core.access.AccessPolicy;
import fleet.core.access.AccessRole;
import fleet.core.access.Action;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.LoginCode;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import fleet.core.machine.Role;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People who log in: by invitation, with keys that end with their grant. */
class RegistryLoginsTest {

  private static final Caller CALLER = new Caller("user root");
  private static final GrantHolder ALICE = GrantHolder.parse("alice").orElseThrow();
  private static final Grant OPERATOR = new Grant(ALICE, AccessRole.OPERATOR, List.of(), Map.of());
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private RegistryAccessGrants grants;
  private RegistryLogins logins;
  private Optional<RuntimeException> shut = Optional.empty();

  /** A port that is open, but for what a test says. */
  private final class OpenPort implements RegistryLogins.PortOpener {
    @Override
    public List<String> open() {
      shut.ifPresent(why -> {
        throw why;
      });
      return List.of("10.0.0.1:50060");
    }

    @Override
    public List<X509Certificate> authorities() {
      try {
        return List.of(cluster.authority.certificate());
      } catch (TrustException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Somebody's key, and what it got. */
  private record Login(CertificateRequest request, PersonCertificate certificate) {
    X509Certificate x509() throws Exception {
      return Pem.certificate(certificate.certificate());
    }

    String key() throws Exception {
      return Fingerprint.ofKey(x509().getPublicKey());
    }

    Subject subject() throws Exception {
      return Subject.Person.loggedIn(certificate.name(), key());
    }
  }

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    grants = new RegistryAccessGrants(cluster.registry, clock);
    logins = new RegistryLogins(cluster.registry, cluster.authority, new OpenPort(), clock);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private LoginCode invited() {
    return LoginCode.parse(logins.invite(ALICE, Optional.of(OPERATOR), HOUR, CALLER).code());
  }

  private Login login(LoginCode code) {
    CertificateRequest request = CertificateRequest.of("whatever");
    return new Login(request, logins.login(code, request.der()));
  }

  private Login renewed(Login before) throws Exception {
    CertificateRequest request = CertificateRequest.of("whatever");
    return new Login(request, logins.renew("alice", before.key(), request.der()));
  }

  private boolean counts(Login login) throws Exception {
    List<Grant> all = grants.list().stream().map(AccessGrants.Given::grant).toList();
    return new AccessPolicy(all).allows(login.subject(), Action.START, Target.CLUSTER);
  }

  // ---- invitations

  @Test
  void anInvitationIsAGrantAndACodeForOneLogin() throws Exception {
    NewInvitation made = logins.invite(ALICE, Optional.of(OPERATOR), HOUR, CALLER);

    assertThat(made.servers()).containsExactly("10.0.0.1:50060");
    assertThat(grants.list())
        .singleElement()
        .satisfies(given -> {
          assertThat(given.grant()).isEqualTo(OPERATOR);
          assertThat(given.invitations()).containsExactly(made.invitation());
        });
    assertThat(CommandRecord.of(cluster.registry.get(Keys.command(ALICE.toString())).orElseThrow()))
        .isEqualTo(new CommandRecord(ALICE.toString(), "grant", OPERATOR.text(), CALLER.name()));
    Login login = login(LoginCode.parse(made.code()));

    assertThat(login.certificate().name()).isEqualTo("alice");
    assertThat(login.certificate().expires()).isEqualTo(clock.instant().plus(Duration.ofDays(7)));
    assertThat(counts(login)).isTrue();
    assertThat(grants.list().getFirst().invitations()).isEmpty();
  }

  @Test
  void theSecretIsKeptNowhere() {
    LoginCode code = invited();
    assertThat(cluster.registry.read(Keys.ACCESS).entries())
        .allSatisfy(entry -> assertThat(entry.value()).doesNotContain(code.secret()));
  }

  @Test
  void aCodeIsGoodOnce() {
    LoginCode code = invited();
    login(code);

    assertThatThrownBy(() -> login(code))
        .isInstanceOf(LoginRefusedException.class)
        .hasMessage(
            "the code was used at %s, and is good once: \"fleetctl access invite alice\" on a server prints another"
                .formatted(clock.instant()));
  }

  @Test
  void aCodeThatManyUseAtOnceIsGoodOnce() throws Exception {
    LoginCode code = invited();
    List<Callable<Login>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(() -> login(code));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(
              threads.invokeAll(all).stream()
                  .filter(one -> one.state() == Future.State.SUCCESS)
                  .count())
          .isEqualTo(1);
    }
  }

  @Test
  void aCodeExpires() {
    LoginCode code = invited();
    clock.advance(HOUR);

    assertThatThrownBy(() -> login(code)).hasMessageContaining("the code expired at");
    assertThat(grants.list().getFirst().invitations()).isEmpty();
  }

  @Test
  void revokingTheGrantEndsItsInvitations() {
    LoginCode code = invited();
    grants.revoke(ALICE, CALLER);

    assertThatThrownBy(() -> login(code))
        .hasMessageContaining("the code is unknown, or its invitation was revoked");
  }

  @Test
  void aCodeWithAnotherSecretIsUnknown() {
    LoginCode code = invited();
    LoginCode guessed = new LoginCode(code.id(), code.authority(), "0".repeat(32));

    assertThatThrownBy(() -> login(guessed)).hasMessageContaining("the code is unknown");
    assertThat(login(code).certificate().name()).isEqualTo("alice");
  }

  @Test
  void codesEndWithTheirAuthority() {
    LoginCode code = invited();
    cluster.registry.commit(Transaction.when().delete(Keys.AUTHORITY).build());

    assertThatThrownBy(() -> login(code))
        .hasMessageContaining("under an authority that the cluster has no more");
  }

  /** Somebody who was away for too long, or comes from another machine. */
  @Test
  void anInvitationWithoutARoleLeavesTheGrant() throws Exception {
    Login first = login(invited());
    LoginCode code = LoginCode.parse(logins.invite(ALICE, Optional.empty(), HOUR, CALLER).code());

    assertThat(counts(login(code))).isTrue();
    assertThat(counts(first)).isTrue();
    assertThatThrownBy(() ->
            logins.invite(GrantHolder.parse("bob").orElseThrow(), Optional.empty(), HOUR, CALLER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("person:bob has no grant: say which, with --role=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:bob", "machine:0af", "group:dev", "a,OU=server", "a+b", "a\"b"})
  void onlyPeopleWithPlainNamesAreInvited(String name) {
    GrantHolder holder = GrantHolder.parse(name).orElseThrow();
    Grant grant = new Grant(holder, AccessRole.ADMIN, List.of(), Map.of());

    assertThatThrownBy(() -> logins.invite(holder, Optional.of(grant), HOUR, CALLER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot log in");
    assertThat(grants.list()).isEmpty();
  }

  @Test
  void nobodyIsInvitedToAPortThatIsShut() {
    shut = Optional.of(new ClusterUnavailableException("the port is in use"));
    assertThatThrownBy(this::invited).hasMessage("the port is in use");
    assertThat(grants.list()).isEmpty();
  }

  @Test
  void aRequestWithoutProofGetsNothingAndUsesNothing() {
    LoginCode code = invited();

    assertThatThrownBy(() -> logins.login(code, new byte[] {1, 2, 3}))
        .isInstanceOf(LoginRefusedException.class);
    assertThat(login(code).certificate().name()).isEqualTo("alice");
  }

  // ---- logins that end

  @Test
  void aGrantToTheSameNameDoesNotReviveAnOldLogin() throws Exception {
    Login stolen = login(invited());
    grants.revoke(ALICE, CALLER);
    grants.grant(OPERATOR, CALLER);
    Login fresh = login(invited());

    assertThat(counts(stolen)).isFalse();
    assertThat(counts(fresh)).isTrue();
    assertThatThrownBy(() -> renewed(stolen))
        .isInstanceOf(LoginRefusedException.class)
        .hasMessageContaining("this login of alice has ended");
  }

  @Test
  void anotherRoleEndsNoLogin() throws Exception {
    Login login = login(invited());
    grants.grant(new Grant(ALICE, AccessRole.ADMIN, List.of(), Map.of()), CALLER);

    assertThat(counts(login)).isTrue();
  }

  /** The answer may be lost, so the key before counts as well, and none before that. */
  @Test
  void aRenewalFollowsFromTheKeyBefore() throws Exception {
    Login first = login(invited());
    Login second = renewed(first);
    assertThat(counts(first)).isTrue();
    assertThat(counts(second)).isTrue();

    Login third = renewed(second);
    assertThat(counts(first)).isFalse();
    assertThat(counts(third)).isTrue();
    assertThatThrownBy(() -> renewed(first)).hasMessageContaining("has ended");
  }

  @Test
  void whatIsOverIsForgotten() throws Exception {
    Login old = login(invited());
    clock.advance(Duration.ofDays(8));
    login(invited());

    assertThat(counts(old)).isFalse();
    assertThat(logins.holder(old.x509()))
        .isInstanceOfSatisfying(
            CertificateHolder.Refused.class,
            refused ->
                assertThat(refused.why())
                    .contains("was good until")
                    .contains("fleetctl access invite NAME"));
  }

  // ---- people and machines

  @Test
  void aPersonIsNoMachine() throws Exception {
    Login alice = login(invited());
    X509Certificate[] chain = {alice.x509(), cluster.authority.certificate()};
    OwnIdentity server = cluster.server();

    assertThat(logins.holder(alice.x509()))
        .isEqualTo(
            new CertificateHolder.Person("alice", alice.key(), alice.certificate().expires()));
    assertThatThrownBy(() -> server.trust().checkClientTrusted(chain, "EC"))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("is none of a machine");
    assertThatThrownBy(() -> server.trust().checkServerTrusted(chain, "EC"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aMachineIsNoPerson() throws Exception {
    X509Certificate agent = cluster.joined("m1", Role.AGENT).get().certificate();
    X509Certificate server = cluster.server().get().certificate();
    for (X509Certificate machine : List.of(agent, server)) {
      assertThat(logins.holder(machine))
          .isInstanceOfSatisfying(
              CertificateHolder.Refused.class,
              refused -> assertThat(refused.why()).contains("is none of a person"));
    }
  }

  @Test
  void aPersonOfAnotherClusterIsForeign() throws Exception {
    try (EnrollingCluster other = new EnrollingCluster(directory, clock)) {
      X509Certificate foreign = other.server().get().certificate();
      assertThat(logins.holder(foreign)).isEqualTo(new CertificateHolder.Foreign());
    }
  }
}
