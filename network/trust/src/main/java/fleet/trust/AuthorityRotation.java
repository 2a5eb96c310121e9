package fleet.trust;

import fleet.cluster.AuthorityStatus;
import fleet.cluster.Caller;
import fleet.cluster.ClusterAuthority;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EtcdCertificates;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.AuthorityRecord.Stage;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.TokenRecord;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rotates the authority of the running cluster. The progress is in the registry, and each step is
 * one transaction of the present leader. First all present machines learn to trust the next
 * authority; then it signs, and they renew their certificates; when no machine needs the former one
 * any more, it is no longer trusted. Safe for use by many threads; calls block.
 */
public final class AuthorityRotation implements ClusterAuthority {

  private static final Logger LOG = LoggerFactory.getLogger(AuthorityRotation.class);

  private final Registry registry;
  private final StoredAuthority authority;
  private final EtcdAuthority etcd;
  private final Clock clock;

  public AuthorityRotation(
      Registry registry, StoredAuthority authority, ServerKeys keys, Clock clock) {
    this.etcd = new EtcdAuthority(registry, keys, clock);
    this.registry = registry;
    this.authority = authority;
    this.clock = clock;
  }

  @Override
  public AuthorityStatus status(Set<String> present) {
    try {
      Optional<Entry> entry = registry.get(Keys.AUTHORITY);
      if (entry.isEmpty()) {
        return new AuthorityStatus(
            List.of(), Optional.empty(), List.of(), Optional.empty(), false, etcd.ends());
      }
      AuthorityRecord stored = AuthorityRecord.of(entry.get());
      return progress(stored, present).status(authority.hasKey(stored), etcd.ends());
    } catch (RegistryException | TrustException e) {
      throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public EtcdCertificates certifyEtcd(List<String> names, Caller caller) {
    try {
      return etcd.certify(names, caller);
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
    } catch (TrustException e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  private AuthorityProgress progress(AuthorityRecord stored, Set<String> present)
      throws TrustException {
    Map<String, IdentityRecord> machines = new HashMap<>();
    for (Entry entry : registry.read(Keys.IDENTITIES).entries()) {
      machines.put(entry.key().substring(Keys.IDENTITIES.length()), IdentityRecord.of(entry));
    }
    return AuthorityProgress.of(stored, machines, present, now());
  }

  @Override
  public boolean rotate(boolean finish, Caller caller) {
    try {
      while (true) {
        Entry entry =
            registry
                .get(Keys.AUTHORITY)
                .orElseThrow(() ->
                    new IllegalStateException(
                        "the cluster has no authority yet: it is made with the first join token"));
        AuthorityRecord stored = AuthorityRecord.of(entry);
        if (!stored.isSealed()) {
          boolean _ = authority.seal();
          continue;
        }
        Optional<AuthorityRecord.Rotation> going = stored.rotation();
        if (going.isPresent() && (going.get().finish() || !finish)) {
          return false;
        }
        AuthorityRecord next =
            going.isPresent() ? stored.finishing() : introducing(stored, finish, caller);
        String what =
            going.isPresent()
                ? "absent machines are not waited for"
                : "machines learn of the next one, " + brief(next.rotation().orElseThrow().other());
        if (isCommitted(entry, next, what, caller.name())) {
          return true;
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
    } catch (TrustException e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  private AuthorityRecord introducing(AuthorityRecord stored, boolean finish, Caller caller)
      throws TrustException {
    Instant now = now();
    Instant made =
        CertificateAuthority.certificateOf(stored.certificate()).getNotBefore().toInstant();
    if (now.isBefore(made)) {
      throw new IllegalStateException(
          "by this server's clock, %s, the authority is not good yet (from %s on): check the clock"
              .formatted(now, made));
    }
    StoredAuthority.Successor next = authority.successor(stored);
    return stored.introducing(next.record(), next.crossSigned(), now, caller.name(), finish);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private static String brief(String pem) throws TrustException {
    return Fingerprint.of(CertificateAuthority.certificateOf(pem)).brief();
  }

  private boolean isCommitted(Entry entry, AuthorityRecord next, String what, String by) {
    var change = Transaction.when().unmodified(entry).put(entry.key(), next.json());
    RegistryCalls.withCommandEvent(change, Keys.AUTHORITY, CommandRecord.AUTHORITY, what, by);
    boolean committed = registry.commit(change.build()) instanceof Outcome.Committed;
    if (committed) {
      LOG.warn("the authority of the cluster is being replaced: {}", what);
    }
    return committed;
  }

  /**
   * Takes the next step, if nothing is waited for. For the server that leads.
   *
   * @param present ids of the machines that are there
   * @param certain whether all others are really away, and not about to report to a new leader
   */
  public void advance(Set<String> present, boolean certain) throws TrustException {
    Optional<Entry> entry = registry.get(Keys.AUTHORITY);
    Optional<AuthorityRecord> stored = entry.map(AuthorityRecord::of);
    if (stored.flatMap(AuthorityRecord::rotation).isEmpty()) {
      return;
    }
    AuthorityRecord.Rotation going = stored.get().rotation().get();
    if (going.stage() == Stage.SIGNING) {
      endTokens(Fingerprint.of(Authorities.of(stored.get()).signing()));
    }
    Optional<AuthorityRecord> next = progress(stored.get(), present).next(certain);
    if (next.isPresent()) {
      String what =
          next.get().rotation().isPresent()
              ? brief(going.other()) + " signs, and machines renew their certificates"
              : brief(going.other()) + " is no longer trusted";
      boolean _ = isCommitted(entry.get(), next.get(), what, going.by());
    }
  }

  /** Tokens name their authority; those of the former one are invalid. */
  private void endTokens(Fingerprint signing) {
    Instant now = now();
    for (Entry entry : registry.read(Keys.TOKENS).entries()) {
      TokenRecord token = TokenRecord.of(entry);
      if (!token.authority().equals(signing.sha256()) && now.isBefore(token.expires())) {
        registry.commit(
            Transaction.when().unmodified(entry).put(entry.key(), token.ended(now).json()).build());
      }
    }
  }
}
