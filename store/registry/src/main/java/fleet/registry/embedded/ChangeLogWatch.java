package fleet.registry.embedded;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.Threads;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watch that reads the change log on a thread of its own. */
final class ChangeLogWatch implements Watch {

  private static final Logger log = LoggerFactory.getLogger(ChangeLogWatch.class);

  private final ChangeLog changes;
  private final String prefix;
  private final Watcher watcher;
  private final Set<ChangeLogWatch> open;
  private final Thread thread;
  private long seen;
  private volatile boolean closed;

  /**
   * A watch that begins with {@link #start}.
   *
   * @param open the set of running watches
   */
  ChangeLogWatch(
      ChangeLog changes,
      String prefix,
      long afterRevision,
      Watcher watcher,
      Set<ChangeLogWatch> open) {
    this.changes = changes;
    this.prefix = prefix;
    this.seen = afterRevision;
    this.watcher = watcher;
    this.open = open;
    this.thread = Thread.ofVirtual().name("registry-watch " + prefix).unstarted(this::run);
  }

  void start() {
    open.add(this);
    thread.start();
  }

  private void run() {
    try {
      Optional<Delta> next = changes.next(seen, () -> closed);
      while (next.isPresent()) {
        seen = next.get().revision();
        tell(next.get());
        next = changes.next(seen, () -> closed);
      }
    } catch (CompactedException e) {
      fail(e);
    } catch (RuntimeException e) {
      log.error("registry: a watcher of {} failed, and gets no more changes", prefix, e);
      fail(new RegistryException("watcher of " + prefix + " failed: " + e, e));
    } finally {
      open.remove(this);
    }
  }

  private void tell(Delta delta) {
    List<Delta.Change> wanted =
        delta.changes().stream().filter(change -> change.key().startsWith(prefix)).toList();
    if (!wanted.isEmpty() && !closed) {
      watcher.changed(new Delta(delta.revision(), wanted));
    }
  }

  private void fail(RegistryException why) {
    if (!closed) {
      watcher.failed(why);
    }
  }

  @Override
  public void close() {
    closed = true;
    changes.wake();
    if (!Thread.currentThread().equals(thread)) {
      Threads.join(thread);
    }
  }
}
