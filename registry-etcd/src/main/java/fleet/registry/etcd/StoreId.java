package fleet.registry.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The name of the store, made by whoever opens it first. */
final class StoreId {

  private StoreId() {}

  static String readOrMake(Connection connection, KeySpace keys) throws EtcdFault {
    Optional<String> id = first(connection.repeat(kv -> kv.get(keys.storeId())).getKvs());
    return id.isPresent() ? id.get() : make(connection, keys);
  }

  /** May be sent again: only the first that arrives finds no name. */
  private static String make(Connection connection, KeySpace keys) throws EtcdFault {
    ByteSequence key = keys.storeId();
    ByteSequence id = KeySpace.value(UUID.randomUUID().toString());
    List<GetResponse> found =
        connection
            .repeat(kv ->
                kv.txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                    .Then(Op.put(key, id, PutOption.DEFAULT), Op.get(key, GetOption.DEFAULT))
                    .Else(Op.get(key, GetOption.DEFAULT))
                    .commit())
            .getGetResponses();
    return first(found.getFirst().getKvs()).orElseThrow();
  }

  static Optional<String> first(List<KeyValue> found) {
    return found.stream().findFirst().map(kv -> KeySpace.text(kv.getValue()));
  }
}
