package fleet.trust;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.Keys;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's authority in the registry, made by the first server that needs one. Read again each
 * time, since a restored registry may hold another. Safe for use by many threads; calls block, and
 * throw {@link fleet.registry.RegistryException} if the registry does not answer.
 */
public final class StoredAuthority {

  /** A machine may be away for at least half of this before it needs a token again. */
  public static final Duration LIFE = Duration.ofDays(30);

  /** How long a person may be away, before an invitation is needed again. */
  static final Duration LIFE_OF_PEOPLE = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(StoredAuthority.class);

  private final Registry registry;
  private final ServerKeys keys;
  private final Clock clock;
  private final Duration life;

  public StoredAuthority(Registry registry, ServerKeys keys, Clock clock) {
    this(registry, keys, clock, LIFE);
  }

  /**
   * An authority with a given lifetime of certificates.
   *
   * @param life of the certificates that it makes
   */
  StoredAuthority(Registry registry, ServerKeys keys, Clock clock, Duration life) {
    this.registry = registry;
    this.keys = keys;
    this.clock = clock;
    this.life = life;
  }

  /** Its certificate; makes the authority if there is none. */
  public X509Certificate certificate() throws TrustException {
    Optional<Entry> stored = registry.get(Keys.AUTHORITY);
    return stored.isPresent()
        ? CertificateAuthority.certificateOf(AuthorityRecord.of(stored.get()).certificate())
        : authority().certificate();
  }

  /**
   * Names its certificate, which it makes if there is none.
   *
   * @throws ClusterUnavailableException if it cannot be read
   */
  Fingerprint fingerprint() {
    try {
      return Fingerprint.of(certificate());
    } catch (TrustException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  /** The authorities of the cluster; makes the first if there is none. */
  public Authorities authorities() throws TrustException {
    Optional<Entry> stored = registry.get(Keys.AUTHORITY);
    return stored.isPresent()
        ? Authorities.of(AuthorityRecord.of(stored.get()))
        : Authorities.only(authority().certificate());
  }

  /**
   * Seals the authority's key if an older version left it in clear.
   *
   * @return whether it was so
   */
  public boolean seal() throws TrustException {
    while (true) {
      Optional<Entry> stored = registry.get(Keys.AUTHORITY);
      Optional<AuthorityRecord> clear =
          stored.map(AuthorityRecord::of).filter(record -> !record.isSealed());
      if (clear.isEmpty()) {
        return false;
      }
      AuthorityRecord sealed =
          clear.get().sealed(CertificateAuthority.ofClear(clear.get()).stored(keys.own()));
      Outcome outcome =
          registry.commit(
              Transaction.when()
                  .unmodified(stored.get())
                  .put(Keys.AUTHORITY, sealed.json())
                  .build());
      if (outcome instanceof Outcome.Committed) {
        LOG.info("the authority's key is sealed from now on, with {}", keys.own());
        return true;
      }
    }
  }

  /** Lets a server with the registry issue its own certificate. */
  public Issuer issuerForServer(String machine) {
    return request -> vouch(new Peer(machine, Role.SERVER), request.der());
  }

  /**
   * Vouches for a machine.
   *
   * @param request in PKCS#10
   * @throws TrustException if the request is none
   */
  IssuedCertificate vouch(Peer peer, byte[] request) throws TrustException {
    CertificateAuthority signing = authority();
    return certified(
        signing, signing.vouch(CertificateRequest.publicKey(request), peer, clock.instant(), life));
  }

  private IssuedCertificate certified(CertificateAuthority signing, X509Certificate certificate)
      throws TrustException {
    Authorities all = authorities();
    // It was replaced in between: the former one still counts, and this machine renews again.
    return new IssuedCertificate(
        certificate,
        all.signing().equals(signing.certificate()) ? all : all.signedBy(signing.certificate()));
  }

  /**
   * Another authority for the same cluster, whose key is sealed as that of this one.
   *
   * @param stored this one, as it is in the registry
   * @throws TrustException if its key cannot be opened here
   */
  Successor successor(AuthorityRecord stored) throws TrustException {
    ServerKey key = keys.named(stored.sealedWith());
    CertificateAuthority before = CertificateAuthority.of(stored, key);
    CertificateAuthority next = CertificateAuthority.create(clock.instant());
    return new Successor(next.stored(key), Pem.of(before.crossSign(next.certificate())));
  }

  /**
   * An authority that is to follow another.
   *
   * @param crossSigned its certificate by the one before, in PEM
   */
  record Successor(AuthorityRecord record, String crossSigned) {}

  /** Whether this server has the key that a record is sealed with, without asking others. */
  boolean hasKey(AuthorityRecord stored) {
    return keys.has(stored.sealedWith());
  }

  /** The same for a person, for a shorter time. */
  IssuedCertificate vouchForPerson(String name, byte[] request) throws TrustException {
    CertificateAuthority signing = authority();
    return certified(
        signing,
        signing.vouchForPerson(
            CertificateRequest.publicKey(request), name, clock.instant(), LIFE_OF_PEOPLE));
  }

  private CertificateAuthority authority() throws TrustException {
    Optional<Entry> stored = registry.get(Keys.AUTHORITY);
    if (stored.isEmpty()) {
      return created();
    }
    AuthorityRecord record = AuthorityRecord.of(stored.get());
    if (record.isSealed()) {
      return CertificateAuthority.of(record, keys.named(record.sealedWith()));
    }
    boolean _ = seal();
    return authority();
  }

  private CertificateAuthority created() throws TrustException {
    CertificateAuthority made = CertificateAuthority.create(clock.instant());
    Outcome outcome =
        registry.commit(
            Transaction.when()
                .absent(Keys.AUTHORITY)
                .put(Keys.AUTHORITY, made.stored(keys.own()).json())
                .build());
    return switch (outcome) {
      case Outcome.Committed _ -> {
        LOG.info("made the cluster's authority, {}", Fingerprint.of(made.certificate()));
        yield made;
      }
      // Another server was faster.
      case Outcome.Refused _ -> authority();
    };
  }
}
