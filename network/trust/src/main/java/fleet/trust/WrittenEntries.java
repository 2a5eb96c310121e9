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
 * Hands on the entries that are written, and none that is deleted. The hearers must not wait.
 *
 * @param ended told why it ends
 */
record WrittenEntries(Consumer<Entry> written, Consumer<RegistryException> ended)
    implements Watcher {

  /**
   * Hands on what is there below a prefix, and what is written there from then on.
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
