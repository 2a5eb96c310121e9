package fleet.registry.etcd;

import fleet.registry.Entry;
import fleet.registry.Snapshot;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads what a quorum of etcd agrees on. Safe for many threads. */
final class EtcdReader {

  private static final int KEYS_PER_PAGE = 2_000;

  /** etcd's limit unless it is told otherwise. */
  private static final int KEYS_PER_TRANSACTION = 128;

  private final EtcdClient connection;
  private final KeySpace keys;

  EtcdReader(EtcdClient connection, KeySpace keys) {
    this.connection = connection;
    this.keys = keys;
  }

  Optional<Entry> get(String key) throws EtcdFault {
    ByteSequence name = keys.key(key);
    return connection.repeat(kv -> kv.get(name)).getKvs().stream()
        .findFirst()
        .map(kv -> entry(keys, kv));
  }

  /** Each request gets as many as etcd takes in a transaction. */
  Map<String, Entry> get(Set<String> names) throws EtcdFault {
    Map<String, Entry> found = new HashMap<>();
    Iterator<String> left = names.iterator();
    while (left.hasNext()) {
      List<Op> gets = new ArrayList<>();
      while (left.hasNext() && gets.size() < KEYS_PER_TRANSACTION) {
        gets.add(Op.get(keys.key(left.next()), GetOption.DEFAULT));
      }
      TxnResponse told = connection.repeat(kv -> kv.txn().Then(gets.toArray(Op[]::new)).commit());
      for (GetResponse one : told.getGetResponses()) {
        one.getKvs().stream().map(kv -> entry(keys, kv)).forEach(e -> found.put(e.key(), e));
      }
    }
    return found;
  }

  static Entry entry(KeySpace keys, KeyValue kv) {
    return new Entry(
        keys.name(kv.getKey()),
        KeySpace.text(kv.getValue()),
        kv.getCreateRevision(),
        kv.getModRevision(),
        kv.getLease());
  }

  /** Starts over if etcd forgets the revision of the first page before the last one is read. */
  Snapshot read(String prefix) throws EtcdFault {
    long deadline = connection.nanoTime() + connection.patience().toNanos();
    while (true) {
      try {
        return pages(prefix);
      } catch (EtcdFault e) {
        if (e.kind() != EtcdFault.Kind.COMPACTED || connection.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  private Snapshot pages(String prefix) throws EtcdFault {
    List<Entry> entries = new ArrayList<>();
    long revision = list(prefix, entries::add);
    return new Snapshot(revision, entries);
  }

  /** Tells all entries at one revision, sorted by key, and returns the revision. */
  long list(String prefix, Consumer<Entry> each) throws EtcdFault {
    GetResponse page = page(keys.first(prefix), prefix, 0);
    long revision = page.getHeader().getRevision();
    tell(page, prefix, each);
    while (page.isMore()) {
      page = page(KeySpace.after(page.getKvs().getLast().getKey()), prefix, revision);
      tell(page, prefix, each);
    }
    return revision;
  }

  private GetResponse page(ByteSequence from, String prefix, long revision) throws EtcdFault {
    GetOption option =
        GetOption.builder()
            .withRange(keys.end(prefix))
            .withLimit(KEYS_PER_PAGE)
            .withRevision(revision)
            .build();
    return connection.repeat(kv -> kv.get(from, option));
  }

  private void tell(GetResponse page, String prefix, Consumer<Entry> each) {
    page.getKvs().stream()
        .map(kv -> entry(keys, kv))
        .filter(entry -> KeySpace.isOwn(entry.key()) == KeySpace.isOwn(prefix))
        .forEach(each);
  }
}
