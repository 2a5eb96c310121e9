package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.Delta;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a prefix of the store and follows it; results come on its loop. */
final class PrefixFollower implements AutoCloseable {

  /** Gets the keys below a prefix, on the loop. */
  interface Listener {

    /** All keys; replaces what came before. */
    void read(Snapshot snapshot);

    void changed(Delta delta);
  }

  private final EventLoop loop;
  private final Registry registry;
  private final String prefix;
  private final Listener listener;
  private final Consumer<String> onFatal;
  private @Nullable Watch watch;
  private boolean closed;

  /**
   * @param onFatal told on the loop when the store can be followed no more
   */
  PrefixFollower(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      String prefix,
      Listener listener,
      Consumer<String> onFatal) {
    this.loop = loop;
    this.registry = registry;
    this.prefix = prefix;
    this.listener = listener;
    this.onFatal = onFatal;
    work.begin("following " + prefix, this::begin, this::begun);
  }

  /** Called again, it tells the listener again as well. */
  private Watch begin() {
    Snapshot snapshot = registry.read(prefix);
    loop.post(() -> {
      if (!closed) {
        listener.read(snapshot);
      }
    });
    return registry.watch(prefix, snapshot, new Changes());
  }

  private void begun(Watch begun) {
    if (closed) {
      letGo(begun);
    } else {
      watch = begun;
    }
  }

  /** Beside the loop, as it waits for a call under way. */
  private void letGo(Watch old) {
    loop.beside("end of watch " + prefix, old::close);
  }

  @Override
  public void close() {
    closed = true;
    if (watch != null) {
      letGo(watch);
      watch = null;
    }
  }

  private final class Changes implements Watcher {
    @Override
    public void changed(Delta delta) {
      loop.post(() -> {
        if (!closed) {
          listener.changed(delta);
        }
      });
    }

    @Override
    public void failed(RegistryException why) {
      loop.post(() -> {
        if (!closed) {
          onFatal.accept(
              "coordination: %s cannot be watched any more: %s"
                  .formatted(prefix, why.getMessage()));
        }
      });
    }
  }
}
