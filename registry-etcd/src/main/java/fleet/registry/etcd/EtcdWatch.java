package fleet.registry.etcd;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch on a thread of its own, which asks again from where it is whenever its stream ends. What
 * it has told is what counts, never what has been sent, so nothing is missed and nothing is told
 * twice.
 */
final class EtcdWatch implements Watch {

  private static final Logger log = LoggerFactory.getLogger(EtcdWatch.class);
  private static final int FIRST_ATTEMPTS = 3;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final Changes changes;
  private final Watcher watcher;
  private final Set<EtcdWatch> open;
  private final Thread thread;
  private final Object lock = new Object();
  private final CountDownLatch closing = new CountDownLatch(1);
  private long seen;
  private @Nullable EventStream stream;
  private volatile boolean closed;

  EtcdWatch(Changes changes, long afterRevision, Watcher watcher, Set<EtcdWatch> open) {
    this.changes = changes;
    this.seen = afterRevision;
    this.watcher = watcher;
    this.open = open;
    this.thread =
        Thread.ofVirtual().name("registry-watch " + changes.prefix()).unstarted(this::run);
  }

  /**
   * Opens the first stream, and begins to tell.
   *
   * @throws RegistryException where it cannot begin
   */
  void start() {
    EventStream first = openFirst();
    use(first);
    open.add(this);
    thread.start();
  }

  private EventStream openFirst() {
    for (int attempt = 1; ; attempt++) {
      try {
        return changes.after(seen);
      } catch (EtcdFault e) {
        if (!e.passing() || attempt == FIRST_ATTEMPTS) {
          throw e.toRegistryException();
        }
        pause(100);
      }
    }
  }

  private void run() {
    try {
      while (!closed) {
        tellUntilItEnds();
        if (!closed) {
          reopen();
        }
      }
    } catch (RegistryException e) {
      fail(e);
    } catch (RuntimeException e) {
      log.error("registry: a watcher of {} failed and is told nothing more", changes.prefix(), e);
      fail(new RegistryException("watcher of " + changes.prefix() + " failed: " + e, e));
    } finally {
      release();
      open.remove(this);
    }
  }

  private void tellUntilItEnds() {
    try {
      Optional<WatchResponse> next = current().next();
      while (next.isPresent() && !closed) {
        tell(next.get());
        next = current().next();
      }
    } catch (EtcdFault e) {
      if (e.kind() == EtcdFault.Kind.COMPACTED) {
        throw new CompactedException(seen, seen + 1);
      }
      log.warn("registry: the watch of {} was cut off: {}", changes.prefix(), e.getMessage());
    }
  }

  private EventStream current() {
    synchronized (lock) {
      return Objects.requireNonNull(stream);
    }
  }

  private void tell(WatchResponse response) {
    for (Delta delta : changes.deltas(response, seen)) {
      if (closed) {
        return;
      }
      watcher.changed(delta);
      seen = delta.revision();
    }
    // All up to a response's last event has been told; where it has none, all up to its header.
    seen = Math.max(seen, toldBy(response));
  }

  private static long toldBy(WatchResponse response) {
    return response.getEvents().isEmpty()
        ? response.getHeader().getRevision()
        : response.getEvents().getLast().getKeyValue().getModRevision();
  }

  private void reopen() {
    release();
    long pauseMillis = 50;
    boolean told = false;
    while (!closed) {
      try {
        use(changes.after(seen));
        if (told) {
          log.info("registry: the watch of {} goes on from revision {}", changes.prefix(), seen);
        }
        return;
      } catch (EtcdFault e) {
        if (!told) {
          log.warn("registry: the watch of {} waits: {}", changes.prefix(), e.getMessage());
          told = true;
        }
        pause(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
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

  private void use(EventStream next) {
    synchronized (lock) {
      stream = next;
      if (closed) {
        next.close();
      }
    }
  }

  private void release() {
    EventStream old;
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
