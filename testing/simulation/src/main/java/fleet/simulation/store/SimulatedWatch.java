package fleet.simulation.store;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.simulation.run.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells one process of changes, in order and one at a time, each some time after it happened. While
 * the store is out of reach it waits, and then goes on where it was.
 */
final class SimulatedWatch implements Watch {

  private final StoreServer server;
  private final SimulatedProcess process;
  private final StoreConnection link;
  private final String prefix;
  private final Watcher watcher;
  private final Map<String, Long> known = new TreeMap<>();
  private long told;
  private boolean underWay;
  private boolean closed;
  private @Nullable Thread telling;
  private CompletableFuture<Boolean> quiet = CompletableFuture.completedFuture(true);

  SimulatedWatch(
      StoreServer server,
      SimulatedProcess process,
      StoreConnection link,
      String prefix,
      Snapshot from,
      Watcher watcher) {
    this.server = server;
    this.process = process;
    this.link = link;
    this.prefix = prefix;
    this.watcher = watcher;
    this.told = from.revision();
    from.entries().forEach(entry -> known.put(entry.key(), entry.modified()));
  }

  /** Something may be there to tell. */
  void wake() {
    if (!underWay && !closed && process.isAlive() && told < server.revision()) {
      underWay = true;
      process.simulation().after(link.passage(), this::arrive);
    }
  }

  private void arrive() {
    underWay = false;
    if (closed || !process.isAlive()) {
      server.forget(this);
    } else if (link.isCut()) {
      link.onceHealed(this::wake);
    } else if (server.isAway()) {
      server.onceBack(this::wake);
    } else {
      tellNext();
    }
  }

  private void tellNext() {
    next()
        .ifPresent(delta -> {
          underWay = true;
          quiet = new CompletableFuture<>();
          process.spawn("watch " + prefix, () -> tell(delta));
        });
  }

  private void tell(Delta delta) {
    telling = Thread.currentThread();
    try {
      if (!closed) {
        watcher.changed(delta);
      }
    } catch (RuntimeException e) {
      fail(e);
    }
    telling = null;
    underWay = false;
    quiet.complete(true);
    wake();
  }

  private void fail(RuntimeException fault) {
    if (!closed) {
      close();
      watcher.failed(new RegistryException("the watcher failed: " + fault, fault));
    }
  }

  private Optional<Delta> next() {
    Optional<Delta> next =
        server.since(told).isPresent()
            ? server.since(told).get().stream()
                .map(this::wanted)
                .filter(delta -> !delta.changes().isEmpty())
                .findFirst()
            : difference();
    next.ifPresent(delta -> delta.changes().forEach(this::learn));
    told = next.map(Delta::revision).orElse(server.revision());
    return next;
  }

  private Delta wanted(Delta delta) {
    return new Delta(
        delta.revision(),
        delta.changes().stream().filter(change -> change.key().startsWith(prefix)).toList());
  }

  private void learn(Change change) {
    switch (change) {
      case Change.Written written -> known.put(change.key(), written.entry().modified());
      case Change.Deleted _ -> known.remove(change.key());
    }
  }

  /** The changes in between are forgotten: only their sum is told. */
  private Optional<Delta> difference() {
    Map<String, Change> changes = new TreeMap<>();
    known.keySet().forEach(key -> changes.put(key, new Change.Deleted(key)));
    Snapshot now = server.read(prefix);
    for (Entry entry : now.entries()) {
      Long before = known.get(entry.key());
      if (before != null && before == entry.modified()) {
        changes.remove(entry.key());
      } else {
        changes.put(entry.key(), new Change.Written(entry));
      }
    }
    List<Change> all = new ArrayList<>(changes.values());
    return all.isEmpty() ? Optional.empty() : Optional.of(new Delta(now.revision(), all));
  }

  @Override
  public void close() {
    closed = true;
    server.forget(this);
    if (!Thread.currentThread().equals(telling)) {
      boolean _ = quiet.join();
    }
  }
}
