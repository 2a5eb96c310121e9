package fleet.coordination.store;

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

  /** Whether the key was written by this process, as far as it knows or not. */
  boolean isOwn(Entry entry) {
    return own.contains(entry.lease());
  }

  /**
   * Takes the lead if nobody has it. If the outcome stays unknown and the key was written
   * nevertheless, it is there to be seen, and {@link #isOwn}.
   */
  Optional<Held> create(LeaderRecord record) {
    Transaction.Builder where = Transaction.when().absent(Keys.LEADER);
    return write(record, where)
        .map(held -> new Held(held.since, held.lease, held.since, held.value));
  }

  /**
   * Takes over a key that an earlier process of this machine left, with its token. It gets a new
   * lease: then nobody who takes the old one for a dead process's can end it.
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

  /**
   * Writes a value of ours, as somebody has overwritten it or it is to be another one; empty if the
   * key is not ours.
   */
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
   * Ends another one's lead: its lease, and so the key. A process that begins to lead has a lease
   * of its own, so this ends only what the proof speaks of, however late it happens.
   *
   * @param proof whether it still is to be done, asked when the key has just been read
   * @return whether it was this call that did it
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
