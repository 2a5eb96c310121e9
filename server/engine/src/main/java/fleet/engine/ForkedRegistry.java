package fleet.engine;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A copy of a registry in memory, for commands and decisions of a dry run. For one thread; its
 * maker hears of each write at once.
 */
final class ForkedRegistry implements Registry {

  /** Hears what is written, key by key. */
  interface Listener {
    void written(Entry entry);

    void deleted(String key);
  }

  private final NavigableMap<String, Entry> entries = new TreeMap<>();
  private final String storeId;
  private final Listener listener;
  private long revision;

  ForkedRegistry(String storeId, Snapshot snapshot, Listener listener) {
    this.storeId = storeId;
    this.listener = listener;
    this.revision = snapshot.revision();
    snapshot.entries().forEach(entry -> entries.put(entry.key(), entry));
  }

  @Override
  public String storeId() {
    return storeId;
  }

  @Override
  public Optional<Entry> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  @Override
  public Snapshot read(String prefix) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : entries.tailMap(prefix, true).values()) {
      if (!entry.key().startsWith(prefix)) {
        break;
      }
      found.add(entry);
    }
    return new Snapshot(revision, found);
  }

  @Override
  public Outcome commit(Transaction transaction) {
    for (Condition condition : transaction.conditions()) {
      if (!holds(condition)) {
        return new Outcome.Refused(revision, condition);
      }
    }
    if (!transaction.writes().isEmpty()) {
      revision++;
      transaction.writes().forEach(this::carryOut);
    }
    return new Outcome.Committed(revision);
  }

  private boolean holds(Condition condition) {
    Entry entry = entries.get(condition.key());
    return switch (condition) {
      case Condition.Absent _ -> entry == null;
      case Condition.Unmodified unmodified ->
          entry != null && entry.modified() == unmodified.modified();
      case Condition.CreatedAt created -> entry != null && entry.created() == created.created();
    };
  }

  private void carryOut(Write write) {
    switch (write) {
      case Write.Put put -> {
        Entry before = entries.get(put.key());
        long created = before == null ? revision : before.created();
        Entry entry = new Entry(put.key(), put.value(), created, revision);
        entries.put(put.key(), entry);
        listener.written(entry);
      }
      case Write.Delete delete -> {
        if (entries.remove(delete.key()) != null) {
          listener.deleted(delete.key());
        }
      }
    }
  }

  /** A copy has no watches: its maker hears of all writes. */
  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    throw new UnsupportedOperationException("a copy of a registry is not watched");
  }

  @Override
  public void close() {
    entries.clear();
  }
}
