package fleet.registry.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * The name of the store, kept in it: made at the first opening, and replaced when a restore from a
 * backup is noticed. It ends in the number of the etcd cluster that it was made in, since a cluster
 * made from a backup or a mirror usually has another.
 *
 * @param text what the store is called
 * @param revision at which it was called that
 */
record StoreId(String text, long revision) {

  static StoreId readOrMake(EtcdClient connection, KeySpace keys) throws EtcdFault {
    GetResponse found = connection.repeat(kv -> kv.get(keys.storeId()));
    Optional<String> id = first(found.getKvs());
    if (id.isEmpty()) {
      Cmp absent = new Cmp(keys.storeId(), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
      return make(connection, keys, absent, made(found));
    }
    return id.get().endsWith(cluster(found))
        ? new StoreId(id.get(), found.getHeader().getRevision())
        : renew(connection, keys, id.get(), found);
  }

  /** A new name, or the one that another writer has given meanwhile. */
  static StoreId renew(EtcdClient connection, KeySpace keys, String old, Response now)
      throws EtcdFault {
    ByteSequence value = KeySpace.value(old);
    Cmp unchanged = new Cmp(keys.storeId(), Cmp.Op.EQUAL, CmpTarget.value(value));
    return make(connection, keys, unchanged, made(now));
  }

  /** May be sent again: only the first that arrives finds the condition to hold. */
  private static StoreId make(EtcdClient connection, KeySpace keys, Cmp condition, String id)
      throws EtcdFault {
    ByteSequence key = keys.storeId();
    Op look = Op.get(key, GetOption.DEFAULT);
    TxnResponse answer =
        connection.repeat(kv ->
            kv.txn()
                .If(condition)
                .Then(Op.put(key, KeySpace.value(id), PutOption.DEFAULT), look)
                .Else(look)
                .commit());
    String found = first(answer.getGetResponses().getFirst().getKvs()).orElse("");
    return new StoreId(found, answer.getHeader().getRevision());
  }

  private static String made(Response now) {
    return UUID.randomUUID() + cluster(now);
  }

  private static String cluster(Response now) {
    return String.format(Locale.ROOT, "-%016x", now.getHeader().getClusterId());
  }

  static Optional<String> first(List<KeyValue> found) {
    return found.stream().findFirst().map(kv -> KeySpace.text(kv.getValue()));
  }
}
