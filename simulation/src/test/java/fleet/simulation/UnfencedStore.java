package fleet.simulation;

import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store that lets a leader write whatever became of it meanwhile: what fencing prevents. */
record UnfencedStore(SharedRegistry store) implements SharedRegistry {

  @Override
  public Outcome commit(Transaction transaction) {
    boolean election = transaction.writes().stream().map(Write::key).anyMatch(Keys.LEADER::equals);
    return store.commit(election ? transaction : unfenced(transaction));
  }

  /** Leaders also demand that what they decided about is as they knew it: a fence within. */
  private static Transaction unfenced(Transaction transaction) {
    boolean leaders =
        transaction.conditions().stream().map(Condition::key).anyMatch(Keys.LEADER::equals);
    return leaders ? new Transaction(List.of(), transaction.writes()) : transaction;
  }

  @Override
  public String storeId() {
    return store.storeId();
  }

  @Override
  public Optional<Entry> get(String key) {
    return store.get(key);
  }

  @Override
  public Snapshot read(String prefix) {
    return store.read(prefix);
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return store.watch(prefix, from, watcher);
  }

  @Override
  public Lease grant(Duration ttl) {
    return store.grant(ttl);
  }

  @Override
  public Lease lease(long id, Duration ttl) {
    return store.lease(id, ttl);
  }

  @Override
  public void close() {
    store.close();
  }
}
