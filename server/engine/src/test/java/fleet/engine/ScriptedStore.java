package fleet.engine;

import fleet.core.testing.Await;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** A store that several machines could share, which lets a test come between an engine and it. */
final class ScriptedStore implements SharedRegistry {

  private final Registry registry;
  private final AtomicInteger reads = new AtomicInteger();
  private volatile Function<Transaction, Optional<Outcome>> interference = _ -> Optional.empty();

  private volatile Runnable beforeRead = () -> {};
  private volatile Runnable beforeGet = () -> {};

  private volatile long writtenByOthers;

  private final Queue<Teller> tellers = new ConcurrentLinkedQueue<>();
  private final Object telling = new Object();
  private long told;

  ScriptedStore(Registry registry) {
    this.registry = registry;
  }

  /** Answers commits from now on; empty if they just happen. It may throw. */
  void interfere(Function<Transaction, Optional<Outcome>> with) {
    interference = with;
  }

  /** Runs from now on before everything is read; it may throw. */
  void beforeRead(Runnable work) {
    beforeRead = work;
  }

  /** Runs from now on before one key is read; it may throw. */
  void beforeGet(Runnable work) {
    beforeGet = work;
  }

  /** Others write as often as that into the same etcd, which no watcher is told of. */
  void writtenByOthers(long times) {
    writtenByOthers = times;
  }

  int reads() {
    return reads.get();
  }

  /** Waits until the store is so. */
  Map<String, Entry> await(String what, Predicate<Map<String, Entry>> condition) throws Exception {
    Snapshot snapshot = registry.read("");
    var mirror = new Mirror(snapshot);
    try (Watch _ = registry.watch("", snapshot, mirror)) {
      return mirror.await(what, condition);
    }
  }

  /** Waits until some watcher has been told of a revision. */
  void awaitTold(long revision) throws Exception {
    synchronized (telling) {
      Await.notified(
          telling, () -> told >= revision, () -> "told up to " + told + " instead of " + revision);
    }
  }

  /** Watchers are told of nothing for now, as of an etcd that has just come back. */
  void holdWatches() {
    tellers.forEach(Teller::hold);
  }

  /** Watchers are told of what they missed meanwhile, and of what follows. */
  void releaseWatches() {
    tellers.forEach(Teller::release);
  }

  /** All watches that were begun end. */
  void failWatches(String why) {
    tellers.forEach(teller -> teller.failed(new RegistryException(why)));
  }

  private final class Teller implements Watcher {
    private final Watcher watcher;
    private Optional<List<Delta>> held = Optional.empty();

    Teller(Watcher watcher) {
      this.watcher = watcher;
      tellers.add(this);
    }

    synchronized void hold() {
      held = Optional.of(new ArrayList<>());
    }

    synchronized void release() {
      List<Delta> missed = held.orElseThrow();
      held = Optional.empty();
      missed.forEach(this::changed);
    }

    @Override
    public synchronized void changed(Delta delta) {
      if (held.isPresent()) {
        held.get().add(delta);
        return;
      }
      watcher.changed(delta);
      synchronized (telling) {
        told = Math.max(told, delta.revision());
        telling.notifyAll();
      }
    }

    @Override
    public void failed(RegistryException why) {
      watcher.failed(why);
    }
  }

  private static final class Mirror implements Watcher {
    private final Map<String, Entry> entries = new TreeMap<>();

    Mirror(Snapshot snapshot) {
      snapshot.entries().forEach(entry -> entries.put(entry.key(), entry));
    }

    @Override
    public synchronized void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        switch (change) {
          case Delta.Change.Written written -> entries.put(written.key(), written.entry());
          case Delta.Change.Deleted deleted -> entries.remove(deleted.key());
        }
      }
      notifyAll();
    }

    @Override
    public void failed(RegistryException why) {
      throw why;
    }

    synchronized Map<String, Entry> await(String what, Predicate<Map<String, Entry>> condition)
        throws Exception {
      Await.notified(this, () -> condition.test(entries), () -> what + ": " + entries.values());
      return new TreeMap<>(entries);
    }
  }

  @Override
  public String storeId() {
    return registry.storeId();
  }

  @Override
  public Optional<Entry> get(String key) {
    beforeGet.run();
    return registry.get(key);
  }

  @Override
  public Snapshot read(String prefix) {
    reads.incrementAndGet();
    beforeRead.run();
    Snapshot own = registry.read(prefix);
    return new Snapshot(own.revision() + writtenByOthers, own.entries());
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return interference.apply(transaction).orElseGet(() -> registry.commit(transaction));
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return registry.watch(prefix, from, new Teller(watcher));
  }

  @Override
  public Lease grant(Duration ttl) {
    throw new UnsupportedOperationException("keys are put and deleted by hand");
  }

  @Override
  public Lease lease(long id, Duration ttl) {
    throw new UnsupportedOperationException("keys are put and deleted by hand");
  }

  @Override
  public void close() {
    registry.close();
  }
}
