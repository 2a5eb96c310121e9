package fleet.trust;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.util.function.Consumer;

/**
 * Passes on entries that are written, not deletions. The listeners must not wait.
 *
 * @param ended told why it ends
 */
record WrittenEntries(Consumer<Entry> written, Consumer<RegistryException> ended)
    implements Watcher {

  /**
   * Passes on the entries below a prefix, and later writes there.
   *
   * @throws RegistryException if the registry does not answer
   */
  Watch follow(Registry registry, String prefix) {
    Snapshot there = registry.read(prefix);
    there.entries().forEach(written);
    return registry.watch(prefix, there, this);
  }

  @Override
  public void changed(Delta delta) {
    for (Delta.Change change : delta.changes()) {
      if (change instanceof Delta.Change.Written(Entry entry)) {
        written.accept(entry);
      }
    }
  }

  @Override
  public void failed(RegistryException why) {
    ended.accept(why);
  }
}
