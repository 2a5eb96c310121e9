package fleet.registry;

import fleet.core.store.StoreHealth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * The store of record: an ordered map of keys to values with one revision for the whole of it.
 *
 * <p>Every commit that changes something raises the revision, and watchers see each revision as one
 * {@link Delta}. Commits made at the same time may share one if none writes what another reads or
 * writes. What {@link #commit} returned as committed is durable. Safe for use by many threads;
 * calls block, so call them from threads that may wait.
 */
public interface Registry extends AutoCloseable {

  /** Names this store; revisions compare only within one store id. */
  String storeId();

  /**
   * The health of the store and each of its servers. Asks them, so only for somebody who wants to
   * know; takes a second or two if some are silent, and a request's time-out more for each that is
   * tried in vain for the list of the others.
   */
  default StoreHealth health() {
    return StoreHealth.EMBEDDED;
  }

  /** How many bytes the store has, as far as that is known without asking it. */
  default OptionalLong size() {
    return OptionalLong.empty();
  }

  Optional<Entry> get(String key);

  /**
   * The entries of those keys that exist, by key, in few requests; each as it was at some moment of
   * this call. Reads them in their order, as some sets have another one in each JVM.
   */
  default Map<String, Entry> get(Set<String> keys) {
    Map<String, Entry> found = new HashMap<>();
    new TreeSet<>(keys).forEach(key -> get(key).ifPresent(entry -> found.put(key, entry)));
    return found;
  }

  /** All keys that begin with the prefix, at one revision, sorted by the bytes of their UTF-8. */
  Snapshot read(String prefix);

  /**
   * Carries out all writes, or none if a condition does not hold. If nothing changes, because there
   * are no writes or only deletes of what does not exist, the revision stays.
   *
   * @throws RegistryException if nothing was written, with the reason
   * @throws OutcomeUnknownException if the store became unreachable for long before it told the
   *     outcome
   */
  Outcome commit(Transaction transaction);

  /**
   * Commits each of several by itself, in few requests, and waits for all of them.
   *
   * @return the outcomes in the order of the transactions
   * @throws RegistryException as {@link #commit(Transaction)} does for the first one that failed;
   *     others may have been committed
   */
  default List<Outcome> commit(List<Transaction> transactions) {
    return transactions.stream().map(this::commit).toList();
  }

  /**
   * Tells the watcher of every change to keys with the prefix after a snapshot of these, in order,
   * none missing and none twice. The watcher is called by one thread at a time, never by the
   * caller's, and does not hold up others.
   *
   * <p>If changes are no longer kept, some registries list again and report the difference as one
   * delta, sorted by key; others fail with {@link CompactedException}. A watcher that throws has
   * failed.
   *
   * @param from what the caller has read of this prefix
   * @throws CompactedException if changes that old are no longer kept: read again, then watch
   * @throws RegistryException if the store has not come to that revision: it is another store's
   */
  Watch watch(String prefix, Snapshot from, Watcher watcher);

  /** Ends all watches and releases the store. */
  @Override
  void close();
}
