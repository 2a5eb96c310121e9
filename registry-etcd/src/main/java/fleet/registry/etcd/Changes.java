package fleet.registry.etcd;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.RegistryException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayList;
import java.util.List;

/** Asks etcd for the changes below a prefix, from any revision on. */
final class Changes {

  private final Connection connection;
  private final KeySpace keys;
  private final String storeId;
  private final String prefix;

  Changes(Connection connection, KeySpace keys, String storeId, String prefix) {
    this.connection = connection;
    this.keys = keys;
    this.storeId = storeId;
    this.prefix = prefix;
  }

  String prefix() {
    return prefix;
  }

  /**
   * Opens a stream of what came after a revision.
   *
   * @throws CompactedException where that is gone
   * @throws RegistryException where this is not the store that had that revision
   */
  EventStream after(long revision) throws EtcdFault {
    WatchOption option =
        WatchOption.builder()
            .withRange(keys.end(prefix))
            .withRevision(revision + 1)
            .withCreateNotify(true)
            .withProgressNotify(true)
            .withRequireLeader(true)
            .build();
    ByteSequence first = keys.first(prefix);
    EventStream stream =
        EventStream.open(
            connection.faults(), listener -> connection.watches().watch(first, option, listener));
    try {
      stream.awaitOpen(connection.options().requestTimeout());
      check(revision);
      return stream;
    } catch (EtcdFault e) {
      stream.close();
      connection.failed();
      throw e;
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /**
   * Whether what came after the revision is still all there. etcd itself lets a watch begin one
   * revision too early: with the compacted one, of which it has dropped the deletions.
   */
  private void check(long revision) throws EtcdFault {
    GetOption then = GetOption.builder().withRevision(Math.max(1, revision)).build();
    try {
      GetResponse found = connection.send(kv -> kv.get(keys.storeId(), then));
      StoreId.first(found.getKvs())
          .filter(id -> !id.equals(storeId))
          .ifPresent(id -> {
            throw anotherStore(revision);
          });
    } catch (EtcdFault e) {
      switch (e.kind()) {
        case COMPACTED -> throw new CompactedException(revision, revision + 1);
        case FUTURE -> throw anotherStore(revision);
        default -> throw e;
      }
    }
  }

  private RegistryException anotherStore(long revision) {
    return new RegistryException(
        "cannot watch from revision %d: it is another store's than the one in %s now"
            .formatted(revision, connection.options().where()));
  }

  /** One delta for each revision in a response; etcd sends a revision whole. */
  List<Delta> deltas(WatchResponse response, long after) {
    List<Delta> deltas = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    long revision = after;
    for (WatchEvent event : response.getEvents()) {
      long its = event.getKeyValue().getModRevision();
      if (its != revision) {
        add(revision, changes, deltas);
        revision = its;
      }
      String key = keys.name(event.getKeyValue().getKey());
      if (its > after && !KeySpace.isOwn(key)) {
        changes.add(change(key, event));
      }
    }
    add(revision, changes, deltas);
    return deltas;
  }

  private static void add(long revision, List<Change> changes, List<Delta> deltas) {
    if (!changes.isEmpty()) {
      deltas.add(new Delta(revision, changes));
      changes.clear();
    }
  }

  private Change change(String key, WatchEvent event) {
    return event.getEventType() == WatchEvent.EventType.DELETE
        ? new Change.Deleted(key)
        : new Change.Written(Reader.entry(keys, event.getKeyValue()));
  }
}
