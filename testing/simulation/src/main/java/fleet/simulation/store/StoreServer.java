package fleet.simulation.store;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.LeaseEndedException;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.simulation.run.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The store itself, which all share: an ordered map with one revision, the changes that led to it,
 * and leases on the simulated clock. It answers at once; the way to it is {@link SimulatedStore}'s.
 */
public final class StoreServer {

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(2);
  private static final Duration LATEST_END = Duration.ofMillis(400);

  private final Simulation simulation;
  private final NavigableMap<String, Entry> entries = new TreeMap<>(StoreServer::inOrderOfBytes);
  private final NavigableMap<Long, Delta> changes = new TreeMap<>();
  private final Map<Long, GrantedLease> leases = new HashMap<>();
  private final List<Consumer<Delta>> observers = new ArrayList<>();
  private final List<SimulatedWatch> watches = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private long revision = 1;
  private long compacted = 1;
  private long leaseNumber = 7_000;
  private boolean away;
  private boolean full;

  private static final class GrantedLease {
    private final Duration ttl;
    private long ends;

    GrantedLease(Duration ttl) {
      this.ttl = ttl;
    }
  }

  public StoreServer(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Code points sort as the bytes of their UTF-8 do. */
  private static int inOrderOfBytes(String one, String other) {
    return Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());
  }

  String id() {
    return "simulated";
  }

  Simulation simulation() {
    return simulation;
  }

  // ---- seen by those who watch over the world

  public long revision() {
    return revision;
  }

  public Collection<Entry> entries() {
    return Collections.unmodifiableCollection(entries.values());
  }

  public Optional<Entry> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** Told of each revision, before anybody else, when it is in force. */
  public void observe(Consumer<Delta> observer) {
    observers.add(observer);
  }

  // ---- faults

  public boolean isAway() {
    return away;
  }

  /** It answers nobody, and no lease ends meanwhile. */
  public void goAway() {
    away = true;
  }

  /** It is back with all it had; the time of leases restarts, as in etcd. */
  public void comeBack() {
    away = false;
    leases.forEach(this::begin);
    List<Runnable> woken = List.copyOf(waiting);
    waiting.clear();
    woken.forEach(Runnable::run);
  }

  public boolean isFull() {
    return full;
  }

  /** Nothing more can be put, as etcd has it with a NOSPACE alarm; deletes and leases go on. */
  public void fill() {
    full = true;
  }

  public void makeRoom() {
    full = false;
  }

  void onceBack(Runnable work) {
    waiting.add(work);
  }

  /** Forgets the changes up to now. */
  public void compact() {
    compacted = revision;
    changes.clear();
  }

  // ---- reading and writing

  Snapshot read(String prefix) {
    return new Snapshot(
        revision,
        entries.tailMap(prefix).values().stream()
            .takeWhile(entry -> entry.key().startsWith(prefix))
            .toList());
  }

  Outcome commit(Transaction transaction) {
    for (Condition condition : transaction.conditions()) {
      if (!holds(condition)) {
        return new Outcome.Refused(revision, condition);
      }
    }
    for (Write write : transaction.writes()) {
      if (write instanceof Write.Put put && put.lease() != 0 && !leases.containsKey(put.lease())) {
        throw new LeaseEndedException(
            "cannot write " + put.key() + ": its lease has ended; begin another one",
            new RegistryException("no such lease"));
      }
    }
    if (full && transaction.writes().stream().anyMatch(Write.Put.class::isInstance)) {
      throw new RegistryException("the store has no space left");
    }
    write(transaction.writes());
    return new Outcome.Committed(revision);
  }

  private boolean holds(Condition condition) {
    Optional<Entry> entry = get(condition.key());
    return switch (condition) {
      case Condition.Absent _ -> entry.isEmpty();
      case Condition.Unmodified it ->
          entry.filter(found -> found.modified() == it.modified()).isPresent();
      case Condition.CreatedAt it ->
          entry.filter(found -> found.created() == it.created()).isPresent();
    };
  }

  private void write(List<Write> writes) {
    List<Change> done = new ArrayList<>();
    for (Write write : writes) {
      switch (write) {
        case Write.Put put -> {
          long created = get(put.key()).map(Entry::created).orElse(revision + 1);
          Entry entry = new Entry(put.key(), put.value(), created, revision + 1, put.lease());
          entries.put(put.key(), entry);
          done.add(new Change.Written(entry));
        }
        case Write.Delete delete -> {
          if (entries.remove(delete.key()) != null) {
            done.add(new Change.Deleted(delete.key()));
          }
        }
      }
    }
    if (!done.isEmpty()) {
      revision++;
      Delta delta = new Delta(revision, done);
      changes.put(revision, delta);
      done.forEach(change -> simulation.happens("store r%d %s".formatted(revision, told(change))));
      observers.forEach(observer -> observer.accept(delta));
      List.copyOf(watches).forEach(SimulatedWatch::wake);
    }
  }

  private static String told(Change change) {
    return switch (change) {
      case Change.Written written -> written.key() + " = " + written.entry().value();
      case Change.Deleted deleted -> deleted.key() + " deleted";
    };
  }

  // ---- leases

  long grant(Duration ttl) {
    long id = ++leaseNumber;
    var lease = new GrantedLease(granted(ttl));
    leases.put(id, lease);
    begin(id, lease);
    return id;
  }

  static Duration granted(Duration ttl) {
    return ttl.compareTo(SHORTEST_LEASE) < 0 ? SHORTEST_LEASE : ttl;
  }

  boolean renew(long id) {
    GrantedLease lease = leases.get(id);
    if (lease == null) {
      return false;
    }
    begin(id, lease);
    return true;
  }

  private void begin(long id, GrantedLease lease) {
    lease.ends = simulation.now() + lease.ttl.toNanos();
    simulation.after(lease.ttl.plus(simulation.upTo(LATEST_END)), () -> endIfOver(id, lease));
  }

  private void endIfOver(long id, GrantedLease lease) {
    if (!away && lease.ends <= simulation.now() && leases.containsKey(id)) {
      simulation.happens("store: lease %d is over".formatted(id));
      revoke(id);
    }
  }

  /** Whether there was one to end. */
  boolean revoke(long id) {
    if (leases.remove(id) == null) {
      return false;
    }
    write(
        entries.values().stream()
            .filter(entry -> entry.lease() == id)
            .<Write>map(entry -> new Write.Delete(entry.key()))
            .toList());
    return true;
  }

  // ---- watches

  SimulatedWatch watch(SimulatedWatch watch, long from) {
    if (from > revision) {
      throw new RegistryException(
          "revision %d is beyond this store's %d: it is another store's".formatted(from, revision));
    }
    if (from < compacted) {
      throw new CompactedException(from, compacted);
    }
    watches.add(watch);
    return watch;
  }

  void forget(SimulatedWatch watch) {
    watches.remove(watch);
  }

  /** The changes after a revision; empty if they have been compacted. */
  Optional<Collection<Delta>> since(long told) {
    return told < compacted ? Optional.empty() : Optional.of(changes.tailMap(told, false).values());
  }
}
