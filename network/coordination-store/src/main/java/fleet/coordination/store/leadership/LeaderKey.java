package fleet.coordination.store.leadership;

import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.LeaseEndedException;
import fleet.registry.Outcome;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Operations of engines on the leader's key. Safe for use by many threads; calls block, and throw
 * {@link fleet.registry.RegistryException} if the store does not answer.
 */
final class LeaderKey {

  /**
   * The key, held.
   *
   * @param token revision that created it
   * @param since revision from which on it stands as we wrote it
   * @param value as we wrote it
   */
  record Held(long token, Lease lease, long since, String value) {}

  private final SharedRegistry registry;
  private final Duration ttl;

  /** Leases of this process. A few in all: one for each attempt to lead that got so far. */
  private final Set<Long> own = ConcurrentHashMap.newKeySet();

  LeaderKey(SharedRegistry registry, Duration ttl) {
    this.registry = registry;
    this.ttl = ttl;
  }

  /** Whether this process wrote the key, knowingly or with a lost answer. */
  boolean isOwn(Entry entry) {
    return own.contains(entry.lease());
  }

  /**
   * Takes the lead if it is vacant. If the outcome is unknown and the key was written nevertheless,
   * the watch shows it, and {@link #isOwn} recognizes it.
   */
  Optional<Held> create(LeaderRecord record) {
    Transaction.Builder where = Transaction.when().absent(Keys.LEADER);
    return write(record, where)
        .map(held -> new Held(held.since, held.lease, held.since, held.value));
  }

  /**
   * Takes over a key that an earlier process of this machine left, with its token. It gets a new
   * lease: then an engine that holds the old process for dead cannot end it.
   */
  Optional<Held> takeOver(Entry left, LeaderRecord record) {
    return write(record, Transaction.when().createdAt(Keys.LEADER, left.created()))
        .map(held -> new Held(left.created(), held.lease, held.since, held.value));
  }

  /** Its token is yet to be told. */
  private Optional<Held> write(LeaderRecord record, Transaction.Builder where) {
    Lease lease = registry.grant(ttl);
    own.add(lease.id());
    String value = record.json();
    try {
      return switch (registry.commit(where.put(Keys.LEADER, value, lease).build())) {
        case Outcome.Committed written ->
            Optional.of(new Held(0, lease, written.revision(), value));
        case Outcome.Refused _ -> {
          forget(lease);
          yield Optional.empty();
        }
      };
    } catch (LeaseEndedException tooSlow) {
      own.remove(lease.id());
      return Optional.empty();
    }
  }

  private void forget(Lease lease) {
    own.remove(lease.id());
    lease.revoke();
  }

  /** Writes our value, because it was overwritten or has changed; empty if the key is not ours. */
  Optional<Held> write(Held held, String value) {
    Transaction mend =
        Transaction.when()
            .createdAt(Keys.LEADER, held.token)
            .put(Keys.LEADER, value, held.lease)
            .build();
    return switch (registry.commit(mend)) {
      case Outcome.Committed written ->
          Optional.of(new Held(held.token, held.lease, written.revision(), value));
      case Outcome.Refused _ -> Optional.empty();
    };
  }

  /** A key with this lease is not for taking over any more. */
  void disown(Held held) {
    own.remove(held.lease.id());
  }

  /**
   * Ends another engine's lead: its lease, and so the key. Each leading process has a lease of its
   * own, so this ends only the proven one, however late it happens.
   *
   * @param proof whether to do it still, asked just after the key was read
   * @return whether this call did it
   */
  boolean depose(long token, Predicate<Entry> proof) {
    Optional<Entry> leader =
        registry.get(Keys.LEADER).filter(entry -> entry.created() == token).filter(proof);
    return leader.isPresent() && end(leader.get());
  }

  private boolean end(Entry leader) {
    if (leader.lease() == 0) {
      Transaction deletion = Transaction.when().unmodified(leader).delete(Keys.LEADER).build();
      return registry.commit(deletion) instanceof Outcome.Committed;
    }
    return registry.lease(leader.lease(), ttl).revoke();
  }
}
