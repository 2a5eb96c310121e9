package fleet.coordination.store;

import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry that does not tell what became of commits to the leader's key. */
final class UncertainRegistry implements SharedRegistry {

  private final SharedRegistry real;
  private final AtomicInteger toLose = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  UncertainRegistry(SharedRegistry real) {
    this.real = real;
  }

  void loseNextOutcome() {
    toLose.incrementAndGet();
  }

  int lost() {
    return lost.get();
  }

  @Override
  public Outcome commit(Transaction transaction) {
    Outcome outcome = real.commit(transaction);
    boolean leaders =
        transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.LEADER));
    if (leaders && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      lost.incrementAndGet();
      throw new OutcomeUnknownException("not told", new IllegalStateException("for a test"));
    }
    return outcome;
  }

  @Override
  public String storeId() {
    return real.storeId();
  }

  @Override
  public Optional<Entry> get(String key) {
    return real.get(key);
  }

  @Override
  public Snapshot read(String prefix) {
    return real.read(prefix);
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return real.watch(prefix, from, watcher);
  }

  @Override
  public Lease grant(Duration ttl) {
    return real.grant(ttl);
  }

  @Override
  public Lease lease(long id, Duration ttl) {
    return real.lease(id, ttl);
  }

  @Override
  public void close() {
    real.close();
  }
}
