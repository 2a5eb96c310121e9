package fleet.trust;

import fleet.cluster.Caller;
import fleet.cluster.EtcdCertificates;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.EtcdCertificateRecord;
import fleet.registry.records.Keys;
import java.net.InetAddress;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An authority for etcd alone, in the registry like that of the cluster. etcd lets everybody write
 * who has a certificate by its authority: with the cluster's own authority, each machine could.
 * Safe for use by many threads; calls block.
 */
final class EtcdAuthority {

  /** Only an operator renews them, and is warned before they end. */
  private static final Duration LIFE = Duration.ofDays(2 * 365);

  /** The user that fleetd is to etcd, if that has users. */
  private static final String CLIENT = "fleet";

  private static final List<String> LOCAL = List.of("127.0.0.1", "localhost");
  private static final int MOST_NAMES = 32;
  private static final Pattern NAME =
      Pattern.compile("(?!-)[0-9A-Za-z-]{1,63}(\\.[0-9A-Za-z-]{1,63})*");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final Registry registry;
  private final ServerKeys keys;
  private final Clock clock;

  EtcdAuthority(Registry registry, ServerKeys keys, Clock clock) {
    this.registry = registry;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Makes certificates for a member and its clients.
   *
   * @throws IllegalArgumentException if a name is none
   * @throws TrustException if the authority's key cannot be opened here
   */
  EtcdCertificates certify(List<String> names, Caller caller) throws TrustException {
    if (names.isEmpty() || names.size() > MOST_NAMES) {
      throw new IllegalArgumentException(
          "a member of etcd has 1 to %d names".formatted(MOST_NAMES));
    }
    names.forEach(EtcdAuthority::require);
    CertificateAuthority authority = authority();
    Instant now = clock.instant();
    Instant ends = now.plus(LIFE).truncatedTo(ChronoUnit.SECONDS);
    KeyPair member = CertificateRequest.newKey();
    KeyPair client = CertificateRequest.newKey();
    List<String> all = Stream.concat(names.stream(), LOCAL.stream()).distinct().toList();
    EtcdCertificates made =
        new EtcdCertificates(
            Pem.of(authority.certificate()),
            Pem.of(authority.certify(member.getPublic(), names.getFirst(), all, now, ends)),
            Pem.of(member.getPrivate()),
            Pem.of(authority.certify(client.getPublic(), CLIENT, List.of(), now, ends)),
            Pem.of(client.getPrivate()),
            ends);
    registry.commit(
        Transaction.when()
            .put(
                Keys.ETCD_CERTIFICATES + names.getFirst(),
                new EtcdCertificateRecord(ends, caller.name()).json())
            .build());
    return made;
  }

  private static void require(String name) {
    if (!isAddress(name) && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("\"%s\" is neither a name nor an address".formatted(name));
    }
  }

  static boolean isAddress(String name) {
    if (!ADDRESS.matcher(name).matches()) {
      return false;
    }
    try {
      var _ = InetAddress.ofLiteral(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private CertificateAuthority authority() throws TrustException {
    while (true) {
      Optional<Entry> stored = registry.get(Keys.ETCD_AUTHORITY);
      if (stored.isPresent()) {
        AuthorityRecord record = AuthorityRecord.of(stored.get());
        return CertificateAuthority.of(record, keys.named(record.sealedWith()));
      }
      CertificateAuthority made = CertificateAuthority.create(clock.instant());
      Outcome outcome =
          registry.commit(
              Transaction.when()
                  .absent(Keys.ETCD_AUTHORITY)
                  .put(Keys.ETCD_AUTHORITY, made.stored(sharedKey()).json())
                  .build());
      if (outcome instanceof Outcome.Committed) {
        return made;
      }
    }
  }

  /** The key that all servers have by now, if they share one. */
  private ServerKey sharedKey() throws TrustException {
    Optional<AuthorityRecord> cluster = registry.get(Keys.AUTHORITY).map(AuthorityRecord::of);
    return cluster.filter(AuthorityRecord::isSealed).isPresent()
        ? keys.named(cluster.get().sealedWith())
        : keys.own();
  }

  /** When certificates end, by the first name of their member. */
  Map<String, Instant> ends() {
    Map<String, Instant> ends = new TreeMap<>();
    for (Entry entry : registry.read(Keys.ETCD_CERTIFICATES).entries()) {
      ends.put(
          entry.key().substring(Keys.ETCD_CERTIFICATES.length()),
          EtcdCertificateRecord.of(entry).ends());
    }
    return ends;
  }
}
