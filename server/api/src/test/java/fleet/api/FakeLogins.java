package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.cluster.CertificateHolder;
import fleet.cluster.Invitation;
import fleet.cluster.LoginRefusedException;
import fleet.cluster.Logins;
import fleet.cluster.NewInvitation;
import fleet.cluster.PersonCertificate;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.LoginCode;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logins that need no authority: the key of a certificate is its serial number. */
final class FakeLogins implements Logins {

  static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

  private final AccessGrants grants;
  private final Map<LoginCode, String> open = new ConcurrentHashMap<>();
  final Map<String, CertificateHolder> holders = new ConcurrentHashMap<>();

  FakeLogins(AccessGrants grants) {
    this.grants = grants;
  }

  @Override
  public NewInvitation invite(
      GrantHolder person, Optional<Grant> grant, Duration life, Caller caller) {
    if (!person.canLogIn()) {
      throw new IllegalArgumentException(person + " cannot log in");
    }
    grant.ifPresent(given -> grants.grant(given.withKeys(Set.of(person.name())), caller));
    LoginCode code =
        new LoginCode("%08x".formatted(open.size() + 1), "a".repeat(64), "b".repeat(32));
    open.put(code, person.name());
    Instant end = FakeTokens.NOW.plus(life);
    return new NewInvitation(
        new Invitation(code.id(), end, caller.name()), code.text(), List.of("10.0.0.1:50060"));
  }

  @Override
  public PersonCertificate login(LoginCode code, byte[] request) {
    return certificate(
        Optional.ofNullable(open.remove(code))
            .orElseThrow(() -> new LoginRefusedException("the code is unknown")));
  }

  @Override
  public PersonCertificate renew(String name, String key, byte[] request) {
    return certificate(name);
  }

  private static PersonCertificate certificate(String name) {
    return new PersonCertificate(name, "certificate of " + name, "authorities", END);
  }

  @Override
  public CertificateHolder holder(X509Certificate certificate) {
    return holders.getOrDefault(
        certificate.getSubjectX500Principal().getName(), new CertificateHolder.Foreign());
  }
}
