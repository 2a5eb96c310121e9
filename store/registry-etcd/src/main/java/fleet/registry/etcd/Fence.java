package fleet.registry.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.List;

/**
 * Settles requests whose answer was lost.
 *
 * <p>Such a request may also be carried out later: it waits in a socket, or in a member that is
 * stopped. So looking whether it happened proves nothing if it did not. But every request demands
 * that the writer's fence key still has the revision it knew. Settling writes that key: from then
 * on the request either has happened, and its notes are in the writer's slots, or never will.
 *
 * <p>Not safe for several threads.
 */
final class Fence {

  private final EtcdClient connection;
  private final ByteSequence key;
  private final ByteSequence slots;
  private final GetOption allSlots;
  private final Store store;
  private long revision;
  private boolean known;

  Fence(EtcdClient connection, KeySpace keys, Store store, String writer) {
    this.store = store;
    this.connection = connection;
    this.key = keys.fence(writer);
    this.slots = keys.slots(writer);
    this.allSlots = GetOption.builder().withRange(KeySpace.end(slots)).build();
  }

  /** The revision it stands at; 0 if it was never written. */
  long revision() throws EtcdFault {
    if (!known) {
      stands(connection.send(kv -> kv.get(key)).getKvs());
    }
    return revision;
  }

  /** Notes where it stands, as the answer to a request that did not pass tells. */
  void stands(List<KeyValue> found) {
    revision = found.stream().mapToLong(KeyValue::getModRevision).findFirst().orElse(0);
    known = true;
  }

  /**
   * Makes sure that requests sent so far either have happened or never will.
   *
   * <p>May be repeated: if an earlier attempt comes through late, it finds the fence moved.
   *
   * @return the writer's slots after that
   */
  List<KeyValue> settle() throws EtcdFault {
    Op settling =
        Op.txn(
            new Cmp[] {
              new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision())), store.unchanged()
            },
            new Op[] {
              Op.put(key, KeySpace.value("settled"), PutOption.DEFAULT),
              Op.get(key, GetOption.DEFAULT),
              Op.get(slots, allSlots)
            },
            new Op[] {Op.get(key, GetOption.DEFAULT), Op.get(slots, allSlots)});
    // Nested, so that also an etcd that is full does it.
    TxnResponse answer =
        connection.send(kv -> kv.txn().Then(settling).commit()).getTxnResponses().getFirst();
    List<GetResponse> found = answer.getGetResponses();
    stands(found.getFirst().getKvs());
    return found.getLast().getKvs();
  }

  /** The writer's slots, if it is certain that nothing is under way. */
  List<KeyValue> look() throws EtcdFault {
    return connection.repeat(kv -> kv.get(slots, allSlots)).getKvs();
  }
}
