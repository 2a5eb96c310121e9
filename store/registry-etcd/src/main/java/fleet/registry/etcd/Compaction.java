package fleet.registry.etcd;

import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has etcd forget old changes, of everything in it, until it is closed. Changes are kept for the
 * configured age at least, and for twice that at most; one that runs is enough for all.
 */
public final class Compaction implements EtcdRegistry.Background {

  private static final Logger log = LoggerFactory.getLogger(Compaction.class);

  private final EtcdClient connection;
  private final KeySpace keys;
  private final Store store;
  private final Consumer<Compaction> onClose;
  private final PeriodicTask periodic;
  private long revision;

  /** Begins at once. */
  Compaction(
      EtcdClient connection,
      KeySpace keys,
      Store store,
      Duration age,
      Consumer<Compaction> onClose) {
    this.connection = connection;
    this.keys = keys;
    this.store = store;
    this.onClose = onClose;
    this.periodic = new PeriodicTask("registry-compaction", age, this::next);
  }

  /** Forgets what came before the last time, and notes where it is now. */
  private void next() {
    try {
      long now = connection.send(kv -> kv.get(keys.storeId())).getHeader().getRevision();
      if (revision > 0) {
        long old = revision;
        connection.send(kv -> kv.compact(old));
        log.debug("registry: etcd forgets changes before revision {}", old);
      }
      revision = now;
    } catch (EtcdFault e) {
      failed(e);
    }
  }

  private void failed(EtcdFault fault) {
    switch (fault.kind()) {
      case COMPACTED -> revision = 0;
      case ANOTHER_STORE, FUTURE -> {
        RegistryException why = store.wentBackwards();
        log.debug("registry: no compaction: {}", why.getMessage());
      }
      case NOT_SENT, UNKNOWN, REFUSED, FULL, LEASE_ENDED ->
          log.warn("registry: etcd was not compacted this time: {}", fault.getMessage());
    }
  }

  @Override
  public void close() {
    periodic.close();
    onClose.accept(this);
  }
}
