package fleet.coordination.store;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Watcher;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Notices that there is nothing left. */
record Emptied(CompletableFuture<Void> empty, Supplier<List<Entry>> left) implements Watcher {

  @Override
  public void changed(Delta delta) {
    if (left.get().isEmpty()) {
      empty.complete(null);
    }
  }

  @Override
  public void failed(RegistryException why) {
    empty.completeExceptionally(why);
  }
}
