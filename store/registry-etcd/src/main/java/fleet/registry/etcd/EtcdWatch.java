package fleet.registry.etcd;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Threads;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import io.etcd.jetcd.watch.WatchResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch on a thread of its own, which resumes from its position whenever its stream ends. The
 * position is that of delivered changes, so nothing is missed and nothing comes twice. If etcd has
 * compacted changes by then, it lists again and reports the difference.
 */
final class EtcdWatch implements Watch {

  private static final Logger log = LoggerFactory.getLogger(EtcdWatch.class);
  private static final int FIRST_ATTEMPTS = 3;

  private final ChangeSource changes;
  private final Watcher watcher;
  private final Set<EtcdWatch> open;
  private final Outage outage;
  private final Duration longestPause;
  private final Thread thread;
  private final Object lock = new Object();
  private final CountDownLatch closing = new CountDownLatch(1);
  private DeliveredKeys told = new DeliveredKeys();
  private long seen;
  private @Nullable WatchStream stream;
  private volatile @Nullable RegistryException ending;
  private volatile boolean closed;

  EtcdWatch(
      ChangeSource changes,
      Snapshot from,
      Watcher watcher,
      Set<EtcdWatch> open,
      Outage outage,
      Duration longestPause) {
    this.changes = changes;
    this.seen = from.revision();
    from.entries().forEach(entry -> told.add(entry.key()));
    this.watcher = watcher;
    this.open = open;
    this.outage = outage;
    this.longestPause = longestPause;
    this.thread =
        Thread.ofVirtual().name("registry-watch " + changes.prefix()).unstarted(this::run);
  }

  /**
   * Opens the first stream, and begins to tell.
   *
   * @throws RegistryException if it cannot begin
   */
  void start() {
    WatchStream first = openFirst();
    use(first);
    open.add(this);
    thread.start();
    changes.lost().ifPresent(this::end);
  }

  private WatchStream openFirst() {
    for (int attempt = 1; ; attempt++) {
      try {
        return changes.after(seen);
      } catch (EtcdFault e) {
        // Also if access is refused: an expired token is reported like that.
        if (attempt == FIRST_ATTEMPTS) {
          throw e.toRegistryException();
        }
        pause(100);
      }
    }
  }

  private void run() {
    try {
      while (!over()) {
        tellUntilItEnds();
        if (!over()) {
          reopen();
        }
      }
      if (ending != null) {
        throw ending;
      }
    } catch (RegistryException e) {
      fail(e);
    } catch (RuntimeException e) {
      log.error(
          "registry: a watcher of '{}' failed, and gets no more changes", changes.prefix(), e);
      fail(new RegistryException("watcher of " + changes.prefix() + " failed: " + e, e));
    } finally {
      release();
      outage.forgets(this);
      open.remove(this);
    }
  }

  private void tellUntilItEnds() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = tellNext();
      }
    } catch (EtcdFault e) {
      // Told if it does not go on at once.
      log.debug("registry: the watch of '{}' was cut off: {}", changes.prefix(), e.getMessage());
    }
  }

  /** A method of its own, so that a quiet watch does not hold on to its last changes. */
  private boolean tellNext() throws EtcdFault {
    Optional<WatchResponse> next = current().next();
    if (over()) {
      return false;
    }
    next.ifPresent(this::tell);
    return next.isPresent();
  }

  private WatchStream current() {
    synchronized (lock) {
      return Objects.requireNonNull(stream);
    }
  }

  private boolean over() {
    return closed || ending != null;
  }

  private void tell(WatchResponse response) {
    changes.seen(response);
    for (Delta delta : changes.deltas(response, seen)) {
      if (over()) {
        return;
      }
      tell(delta);
    }
    // All up to a response's last event has been told; if it has none, all up to its header.
    seen = Math.max(seen, toldBy(response));
  }

  private void tell(Delta delta) {
    watcher.changed(delta);
    seen = delta.revision();
    for (Change change : delta.changes()) {
      switch (change) {
        case Change.Written written -> told.add(written.key());
        case Change.Deleted deleted -> told.remove(deleted.key());
      }
    }
  }

  private static long toldBy(WatchResponse response) {
    return response.getEvents().isEmpty()
        ? response.getHeader().getRevision()
        : response.getEvents().getLast().getKeyValue().getModRevision();
  }

  private void reopen() {
    release();
    long pauseMillis = 50;
    while (!over()) {
      try {
        use(afterAll());
        outage.ends(this);
        return;
      } catch (EtcdFault e) {
        outage.begins(this, changes.prefix(), e);
        pause(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, longestPause.toMillis());
      }
    }
  }

  private WatchStream afterAll() throws EtcdFault {
    boolean forgotten = false;
    while (true) {
      try {
        if (forgotten) {
          listAgain();
        }
        return changes.after(seen);
      } catch (CompactedException e) {
        forgotten = true;
      }
    }
  }

  private void listAgain() throws EtcdFault {
    WatchResync listing = new WatchResync(seen);
    long revision = changes.list(listing);
    Optional<Delta> difference = listing.delta(told, revision);
    log.info(
        "registry: etcd has forgotten what came after revision {}; '{}' was listed again at {}",
        seen,
        changes.prefix(),
        revision);
    if (!over()) {
      difference.ifPresent(watcher::changed);
      told = listing.keys();
      seen = revision;
    }
  }

  private void pause(long millis) {
    try {
      closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }

  private void use(WatchStream next) {
    synchronized (lock) {
      stream = next;
      if (over()) {
        next.close();
      }
    }
  }

  private void release() {
    WatchStream old;
    synchronized (lock) {
      old = stream;
      stream = null;
    }
    if (old != null) {
      old.close();
    }
  }

  private void fail(RegistryException why) {
    if (!closed) {
      watcher.failed(why);
    }
  }

  /** Lets it fail, unless it is closed before. */
  void end(RegistryException why) {
    synchronized (lock) {
      ending = why;
      if (stream != null) {
        stream.close();
      }
      closing.countDown();
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (stream != null) {
        stream.close();
      }
      closing.countDown();
    }
    if (!Thread.currentThread().equals(thread)) {
      Threads.join(thread);
    }
  }
}
