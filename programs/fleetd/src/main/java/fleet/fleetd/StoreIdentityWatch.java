package fleet.fleetd;

import fleet.registry.AnotherStoreException;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when the registry holds another store than before, as after a restore: then a new process
 * must read everything again, at once. A machine connected to the leader would learn of it late,
 * and the leader, which restarts for it, would take this machine for lost.
 *
 * @param onFatal told why this process cannot go on
 */
record StoreIdentityWatch(Consumer<String> onFatal) implements Watcher {

  private static final Logger LOG = LoggerFactory.getLogger(StoreIdentityWatch.class);

  /** Watches until the registry is closed. */
  static void watch(SharedRegistry registry, Consumer<String> onFatal) {
    // Any key does: all watches end with the store.
    var _ =
        registry.watch(Keys.CLUSTER, registry.read(Keys.CLUSTER), new StoreIdentityWatch(onFatal));
  }

  @Override
  public void changed(Delta delta) {
    // Changes in the store are others' business.
  }

  @Override
  public void failed(RegistryException why) {
    if (why instanceof AnotherStoreException) {
      onFatal.accept(String.valueOf(why.getMessage()));
    } else {
      LOG.debug("the store is no longer watched: {}", why.getMessage());
    }
  }
}
