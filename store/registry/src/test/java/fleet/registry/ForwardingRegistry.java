package fleet.registry;

import java.time.Duration;
import java.util.Optional;

/** A registry that is another one, but for what a test makes different. */
public abstract class ForwardingRegistry implements SharedRegistry {

  private final SharedRegistry real;

  protected ForwardingRegistry(SharedRegistry real) {
    this.real = real;
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return real.commit(transaction);
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
