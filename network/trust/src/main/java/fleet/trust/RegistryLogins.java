package fleet.trust;

import static fleet.trust.RegistryCalls.answered;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;

import fleet.cluster.Caller;
import fleet.cluster.CertificateHolder;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Invitation;
import fleet.cluster.LoginRefusedException;
import fleet.cluster.Logins;
import fleet.cluster.NewInvitation;
import fleet.cluster.PersonCertificate;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.LoginCode;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.GrantRecord;
import fleet.registry.records.InvitationRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LoginRecord;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Invitations and the keys of people, kept with their grants in the registry: revoking a grant ends
 * them at once. Safe for use by many threads.
 */
public final class RegistryLogins implements Logins {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryLogins.class);
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final int ID_BYTES = 4;
  private static final int SECRET_BYTES = 16;
  private static final String ANOTHER = "\"fleetctl access invite %s\" on a server prints another";

  private final Registry registry;
  private final StoredAuthority authority;
  private final PortOpener opener;
  private final CertificateCheck check;
  private final Clock clock;

  /** The way by which people come to this server. */
  public interface PortOpener {

    /**
     * Opens the port that people come by, if it is not open yet.
     *
     * @return where that is, as {@code HOST:PORT}
     * @throws IllegalArgumentException if people are not to come; the message is for people
     * @throws ClusterUnavailableException if it cannot be opened
     */
    List<String> open();

    /** The authorities whose certificates machines of the cluster have. */
    List<X509Certificate> authorities();
  }

  public RegistryLogins(
      Registry registry, StoredAuthority authority, PortOpener opener, Clock clock) {
    this.registry = registry;
    this.authority = authority;
    this.opener = opener;
    this.check = new CertificateCheck(clock);
    this.clock = clock;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  // ---- invite

  @Override
  public NewInvitation invite(
      GrantHolder person, Optional<Grant> grant, Duration life, Caller caller) {
    require(person, life);
    List<String> servers = opener.open();
    return answered(() -> {
      LoginCode code = new LoginCode(random(ID_BYTES), fingerprint(), random(SECRET_BYTES));
      InvitationRecord invitation =
          new InvitationRecord(
              code.id(),
              code.secretSha256(),
              now().plus(life),
              code.authority(),
              caller.name(),
              Optional.empty());
      while (!isInvited(person, grant, invitation)) {
        LOG.debug("the grant of {} changes meanwhile", person);
      }
      grant.ifPresent(given -> LOG.info("access: {} granted by {}", given.text(), caller));
      LOG.info("access: {} is invited by {}, until {}", person, caller, invitation.expires());
      return new NewInvitation(
          new Invitation(invitation.id(), invitation.expires(), invitation.by()),
          code.text(),
          servers);
    });
  }

  private static void require(GrantHolder person, Duration life) {
    if (!person.canLogIn()) {
      throw new IllegalArgumentException(
          "%s cannot log in: people can, with a name of at most 64 letters, digits, . _ @ and -"
              .formatted(person));
    }
    if (!life.isPositive() || life.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "an invitation is good for some time, and at most %d days".formatted(LONGEST.toDays()));
    }
  }

  private boolean isInvited(GrantHolder person, Optional<Grant> grant, InvitationRecord with) {
    String key = Keys.access(person.toString());
    Optional<Entry> entry = registry.get(key);
    Optional<GrantRecord> before = entry.map(GrantRecord::of);
    GrantRecord record =
        grant
            .map(given ->
                before
                    .map(one -> one.replacedBy(given, with.by()))
                    .orElseGet(() -> new GrantRecord(given, with.by())))
            .or(() -> before)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    person + " has no grant: say which, with --role=viewer, operator or admin"));
    return isCommitted(
        key,
        entry,
        record.invited(with, now()),
        change ->
            grant.ifPresent(given -> RegistryAccessGrants.toldOfGrant(change, given, with.by())));
  }

  private boolean isCommitted(String key, Optional<Entry> before, GrantRecord record) {
    return isCommitted(key, before, record, _ -> {});
  }

  /**
   * Writes on condition that there was no other write meanwhile.
   *
   * @param more puts into the same transaction
   */
  private boolean isCommitted(
      String key, Optional<Entry> before, GrantRecord record, Consumer<Transaction.Builder> more) {
    var transaction = Transaction.when().unchanged(key, before).put(key, record.json());
    more.accept(transaction);
    return registry.commit(transaction.build()) instanceof Outcome.Committed;
  }

  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    CHANCE.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  private String fingerprint() {
    try {
      return Fingerprint.of(authority.certificate()).sha256();
    } catch (TrustException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  // ---- log in

  @Override
  public PersonCertificate login(LoginCode code, byte[] request) {
    return answered(() -> {
      while (true) {
        Entry entry = invited(code);
        String name = RegistryAccessGrants.holder(entry).name();
        GrantRecord record = GrantRecord.of(entry);
        InvitationRecord invitation = find(record, code).orElseThrow();
        requireGood(invitation, name);
        IssuedCertificate certified = vouched(name, request);
        LoginRecord login = new LoginRecord(keyOf(certified), "", ends(certified));
        if (isCommitted(
            entry.key(), Optional.of(entry), record.loggedIn(invitation, login, now()))) {
          LOG.info("access: person:{} has logged in with invitation {}", name, invitation.id());
          return answer(name, certified);
        }
      }
    });
  }

  /** The grant with the invitation that a code is of. */
  private Entry invited(LoginCode code) {
    return registry.read(Keys.ACCESS).entries().stream()
        .filter(entry -> find(GrantRecord.of(entry), code).isPresent())
        .findFirst()
        .orElseThrow(() ->
            new LoginRefusedException(
                "the code is unknown, or its invitation was revoked: "
                    + ANOTHER.formatted("NAME")));
  }

  private static Optional<InvitationRecord> find(GrantRecord record, LoginCode code) {
    byte[] given = code.secretSha256().getBytes(US_ASCII);
    return record.invitations().stream()
        .filter(one ->
            one.id().equals(code.id())
                && MessageDigest.isEqual(given, one.secretSha256().getBytes(US_ASCII)))
        .findFirst();
  }

  private void requireGood(InvitationRecord invitation, String name) {
    String another = ANOTHER.formatted(name);
    invitation
        .used()
        .ifPresent(at -> {
          throw new LoginRefusedException(
              "the code was used at " + at + ", and is good once: " + another);
        });
    if (!invitation.isOpen(clock.instant())) {
      throw new LoginRefusedException(
          "the code expired at " + invitation.expires() + ": " + another);
    }
    if (!invitation.authority().equals(fingerprint())) {
      throw new LoginRefusedException(
          "the code was made under an authority that the cluster has no more: " + another);
    }
  }

  @Override
  public PersonCertificate renew(String name, String key, byte[] request) {
    String access = Keys.access(new GrantHolder(GrantHolder.Kind.PERSON, name).toString());
    return answered(() -> {
      while (true) {
        Optional<Entry> entry = registry.get(access);
        GrantRecord record =
            entry
                .map(GrantRecord::of)
                .filter(one -> one.logins().stream().anyMatch(login -> login.has(key)))
                .orElseThrow(() ->
                    new LoginRefusedException(
                        "this login of " + name + " has ended: " + ANOTHER.formatted(name)));
        IssuedCertificate certified = vouched(name, request);
        GrantRecord next = record.renewed(key, keyOf(certified), ends(certified), now());
        if (isCommitted(access, entry, next)) {
          return answer(name, certified);
        }
      }
    });
  }

  private IssuedCertificate vouched(String name, byte[] request) {
    try {
      return authority.vouchForPerson(name, request);
    } catch (TrustException e) {
      throw new LoginRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private static String keyOf(IssuedCertificate certified) {
    return Fingerprint.ofKey(certified.certificate().getPublicKey());
  }

  private static Instant ends(IssuedCertificate certified) {
    return certified.certificate().getNotAfter().toInstant();
  }

  private PersonCertificate answer(String name, IssuedCertificate certified) {
    String authorities =
        Stream.concat(Stream.of(certified.authority()), opener.authorities().stream())
            .distinct()
            .map(Pem::of)
            .collect(joining());
    return new PersonCertificate(
        name, Pem.of(certified.certificate()), authorities, ends(certified));
  }

  // ---- those who have

  @Override
  public CertificateHolder holder(X509Certificate certificate) {
    for (X509Certificate signer : opener.authorities()) {
      if (isSignedBy(certificate, signer)) {
        return holder(certificate, signer);
      }
    }
    return new CertificateHolder.Foreign();
  }

  private static boolean isSignedBy(X509Certificate certificate, X509Certificate signer) {
    try {
      certificate.verify(signer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private CertificateHolder holder(X509Certificate certificate, X509Certificate signer) {
    try {
      String name = check.person(certificate, signer);
      return new CertificateHolder.Person(
          name,
          Fingerprint.ofKey(certificate.getPublicKey()),
          certificate.getNotAfter().toInstant());
    } catch (CertificateException e) {
      String another =
          e.getCause() instanceof CertificateExpiredException
              ? ": " + ANOTHER.formatted("NAME") + " code"
              : "";
      return new CertificateHolder.Refused(e.getMessage() + another);
    }
  }
}
