package fleet.simulation.planted;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.time.Duration;
import java.util.Optional;

/** A store that is another one, but for what a bug makes different. */
abstract class AlteredStore implements SharedRegistry {

  private final SharedRegistry real;

  AlteredStore(SharedRegistry real) {
    this.real = real;
  }

  /** The entry that a reader gets instead. */
  Entry read(Entry entry) {
    return entry;
  }

  /** Whether a watcher is told. */
  boolean tells(Delta delta) {
    return true;
  }

  @Override
  public String storeId() {
    return real.storeId();
  }

  @Override
  public Optional<Entry> get(String key) {
    return real.get(key).map(this::read);
  }

  @Override
  public Snapshot read(String prefix) {
    Snapshot snapshot = real.read(prefix);
    return new Snapshot(snapshot.revision(), snapshot.entries().stream().map(this::read).toList());
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return real.commit(transaction);
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return real.watch(
        prefix,
        from,
        new Watcher() {
          @Override
          public void changed(Delta delta) {
            if (tells(delta)) {
              watcher.changed(
                  new Delta(
                      delta.revision(),
                      delta.changes().stream().map(AlteredStore.this::read).toList()));
            }
          }

          @Override
          public void failed(RegistryException why) {
            watcher.failed(why);
          }
        });
  }

  private Change read(Change change) {
    return change instanceof Change.Written written
        ? new Change.Written(read(written.entry()))
        : change;
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
