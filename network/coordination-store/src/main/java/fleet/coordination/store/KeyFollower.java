package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows one key of the store through all its faults. Belongs to its loop. */
public final class KeyFollower implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KeyFollower.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Gets the state of the key, on the loop. */
  @FunctionalInterface
  public interface Listener {

    /**
     * The key at a revision, first as read, then after each change. After a fault the same state
     * may come again.
     */
    void seen(Optional<Entry> entry, long revision);
  }

  private final EventLoop loop;
  private final Registry registry;
  private final String key;
  private final Listener listener;
  private Optional<Watch> watch = Optional.empty();
  private boolean failing;
  private volatile boolean closed;

  public KeyFollower(EventLoop loop, Registry registry, String key, Listener listener) {
    this.loop = loop;
    this.registry = registry;
    this.key = key;
    this.listener = listener;
  }

  public void start() {
    loop.beside("watch of " + key, this::readAndWatch);
  }

  private void readAndWatch() {
    try {
      Snapshot snapshot = registry.read(key);
      loop.post(() -> read(snapshot));
      Watch begun = registry.watch(key, snapshot, new Changes());
      loop.post(() -> began(begun));
    } catch (RegistryException e) {
      loop.post(() -> failed(e));
    }
  }

  private void read(Snapshot snapshot) {
    if (failing) {
      failing = false;
      log.info("leadership: key {} can be read again", key);
    }
    tell(
        snapshot.entries().stream().filter(entry -> entry.key().equals(key)).findFirst(),
        snapshot.revision());
  }

  private void began(Watch begun) {
    if (closed) {
      loop.beside("end of the watch of " + key, begun::close);
    } else {
      watch = Optional.of(begun);
    }
  }

  private void failed(RegistryException why) {
    watch = Optional.empty();
    if (closed) {
      return;
    }
    if (!failing) {
      failing = true;
      log.warn(
          "leadership: cannot follow key {} of the registry, trying on: {}", key, why.getMessage());
    }
    loop.postAfter(
        RETRY,
        () -> {
          if (!closed) {
            start();
          }
        });
  }

  private void tell(Optional<Entry> entry, long revision) {
    if (!closed) {
      listener.seen(entry, revision);
    }
  }

  /** Stops following. */
  @Override
  public void close() {
    closed = true;
    watch.ifPresent(begun -> loop.beside("end of the watch of " + key, begun::close));
    watch = Optional.empty();
  }

  private final class Changes implements Watcher {

    @Override
    public void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        if (change.key().equals(key)) {
          loop.post(() -> tell(change.now(), delta.revision()));
        }
      }
    }

    @Override
    public void failed(RegistryException why) {
      loop.post(() -> KeyFollower.this.failed(why));
    }
  }
}
