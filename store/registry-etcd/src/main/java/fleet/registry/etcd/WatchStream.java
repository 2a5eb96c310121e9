package fleet.registry.etcd;

import io.etcd.jetcd.Watch;
import io.etcd.jetcd.watch.WatchResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The events that etcd sends to one watch until the first fault. jetcd would continue by itself
 * after some faults, but from the revision at which the watch was made, even if earlier changes
 * were not delivered yet.
 *
 * <p>Keeps a bounded amount for a slow reader and then ends, so that the reader asks again from
 * where it is.
 */
final class WatchStream implements AutoCloseable {

  private static final long MAX_WAITING_BYTES = 4 << 20;

  private final Deque<WatchResponse> waiting = new ArrayDeque<>();
  private final EtcdFaults faults;
  private final Watch.Watcher watcher;
  private long bytes;
  private boolean open;
  private boolean ended;
  private @Nullable EtcdFault fault;

  private WatchStream(EtcdFaults faults, Function<Watch.Listener, Watch.Watcher> watch) {
    this.faults = faults;
    this.watcher = watch.apply(Watch.listener(this::received, this::broken, this::end));
  }

  static WatchStream open(EtcdFaults faults, Function<Watch.Listener, Watch.Watcher> watch) {
    return new WatchStream(faults, watch);
  }

  private synchronized void received(WatchResponse response) {
    if (response.isCreatedNotify()) {
      open = true;
    } else if (!ended) {
      waiting.add(response);
      bytes += size(response);
      ended = bytes > MAX_WAITING_BYTES;
    }
    notifyAll();
  }

  private static long size(WatchResponse response) {
    return response.getEvents().stream()
        .mapToLong(event ->
            event.getKeyValue().getKey().size() + event.getKeyValue().getValue().size() + 200L)
        .sum();
  }

  private synchronized void broken(Throwable why) {
    if (!ended) {
      fault = faults.of(why);
      ended = true;
    }
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  synchronized void awaitOpen(Duration timeout) throws EtcdFault {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!open && !ended) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw faults.timedOut(new IllegalStateException("the watch was not opened"));
      }
      waitFor(left);
    }
    throwFault();
  }

  /** The next response; empty if the stream has ended without a fault. */
  synchronized Optional<WatchResponse> next() throws EtcdFault {
    while (waiting.isEmpty() && !ended) {
      waitFor(0);
    }
    if (waiting.isEmpty()) {
      throwFault();
      return Optional.empty();
    }
    WatchResponse next = waiting.remove();
    if (!ended) {
      bytes -= size(next);
    }
    return Optional.of(next);
  }

  @SuppressWarnings("WaitNotInLoop") // Its callers loop.
  private void waitFor(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = true;
    }
  }

  private void throwFault() throws EtcdFault {
    if (fault != null) {
      throw fault;
    }
  }

  @Override
  public void close() {
    end();
    watcher.close();
  }
}
