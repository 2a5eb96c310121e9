package fleet.coordination.store;

import fleet.core.testing.Await;
import fleet.registry.Delta;
import fleet.registry.ForwardingRegistry;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.util.ArrayList;
import java.util.List;

/** A registry whose watches of a prefix tell what changes only when a test says so. */
final class LaggingRegistry extends ForwardingRegistry {

  private final String slow;
  private final List<Runnable> held = new ArrayList<>();
  private boolean holding;

  LaggingRegistry(SharedRegistry real, String slow) {
    super(real);
    this.slow = slow;
  }

  synchronized void hold() {
    holding = true;
  }

  /** Waits until something has changed and is held back. */
  synchronized void awaitHeld() throws InterruptedException {
    Await.notified(this, () -> !held.isEmpty(), () -> "nothing is held back");
  }

  /** Tells what was held back. */
  synchronized void letGo() {
    holding = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  private synchronized void tell(Runnable change) {
    if (holding) {
      held.add(change);
      notifyAll();
    } else {
      change.run();
    }
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return super.watch(prefix, from, prefix.startsWith(slow) ? slowed(watcher) : watcher);
  }

  private Watcher slowed(Watcher watcher) {
    return new Watcher() {
      @Override
      public void changed(Delta delta) {
        tell(() -> watcher.changed(delta));
      }

      @Override
      public void failed(RegistryException why) {
        watcher.failed(why);
      }
    };
  }
}
