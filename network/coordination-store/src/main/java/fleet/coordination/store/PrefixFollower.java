package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import org.jspecify.annotations.Nullable;

/** Reads a prefix of the store and follows it; results come on its loop. */
final class PrefixFollower implements AutoCloseable {

  /** Gets the keys below a prefix, on the loop. */
  interface Listener {

    /** All keys; replaces what came before. */
    void read(Snapshot snapshot);

    void changed(Delta delta);
  }

  private final StoreWork work;
  private final EventLoop loop;
  private final String prefix;
  private final Listener listener;
  private @Nullable Watch watch;
  private boolean closed;

  PrefixFollower(StoreWork work, String prefix, Listener listener) {
    this.work = work;
    this.loop = work.loop();
    this.prefix = prefix;
    this.listener = listener;
    work.begin("following " + prefix, this::begin, this::begun);
  }

  /** Follows one key. */
  static PrefixFollower ofKey(StoreWork work, String key, KeyFollower.Listener listener) {
    return new PrefixFollower(work, key, new KeyEvents(key, listener));
  }

  /** Called again, it tells the listener again as well. */
  private Watch begin() {
    Snapshot snapshot = work.registry().read(prefix);
    loop.post(() -> {
      if (!closed) {
        listener.read(snapshot);
      }
    });
    return work.registry().watch(prefix, snapshot, new Changes());
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
          work.fail(
              "coordination: %s cannot be watched any more: %s"
                  .formatted(prefix, why.getMessage()));
        }
      });
    }
  }

  private record KeyEvents(String key, KeyFollower.Listener listener) implements Listener {

    @Override
    public void read(Snapshot snapshot) {
      listener.seen(
          snapshot.entries().stream().filter(entry -> entry.key().equals(key)).findFirst(),
          snapshot.revision());
    }

    @Override
    public void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        if (change.key().equals(key)) {
          listener.seen(change.now(), delta.revision());
        }
      }
    }
  }
}
