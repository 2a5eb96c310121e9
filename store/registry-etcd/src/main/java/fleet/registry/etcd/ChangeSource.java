package fleet.registry.etcd;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks etcd for the changes below a prefix, from any revision on. */
final class ChangeSource {

  private final EtcdClient connection;
  private final KeySpace keys;
  private final Store store;
  private final String prefix;

  ChangeSource(EtcdClient connection, KeySpace keys, Store store, String prefix) {
    this.connection = connection;
    this.keys = keys;
    this.store = store;
    this.prefix = prefix;
  }

  String prefix() {
    return prefix;
  }

  /**
   * Opens a stream of what came after a revision.
   *
   * @throws CompactedException if that is gone
   * @throws RegistryException if this is not the store that had that revision
   */
  WatchStream after(long revision) throws EtcdFault {
    WatchOption option =
        WatchOption.builder()
            .withRange(keys.end(prefix))
            .withRevision(revision + 1)
            .withCreateNotify(true)
            .withProgressNotify(true)
            .withRequireLeader(true)
            .build();
    ByteSequence first = keys.first(prefix);
    WatchStream stream =
        connection.watch(watches ->
            WatchStream.open(
                connection.faults(), listener -> watches.watch(first, option, listener)));
    try {
      check(revision);
      return stream;
    } catch (EtcdFault | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /**
   * Whether this is still that store, with all changes after the revision. etcd itself lets a watch
   * begin one revision too early: with the compacted one, of which it has dropped the deletions.
   */
  private void check(long revision) throws EtcdFault {
    GetOption then = GetOption.builder().withRevision(Math.max(1, revision)).build();
    try {
      GetResponse found = connection.send(kv -> kv.get(keys.storeId(), then));
      Optional<String> id = StoreId.first(found.getKvs());
      if (id.isPresent() && !store.isCalled(id)) {
        throw store.renamed();
      }
    } catch (EtcdFault e) {
      switch (e.kind()) {
        case COMPACTED -> throw new CompactedException(revision, revision + 1);
        case FUTURE -> throw future(revision);
        case ANOTHER_STORE -> throw store.exceptionOf(e);
        case NOT_SENT, UNKNOWN, REFUSED, FULL, LEASE_ENDED -> throw e;
      }
    }
  }

  /** Either etcd has lost what this handle has seen, or the caller asks for a wrong revision. */
  private RegistryException future(long revision) {
    return connection.hasSeen(revision) || store.hasGoneBackwards()
        ? store.wentBackwards()
        : new RegistryException(
            "cannot watch from revision %d: it is another store's than the one in %s now"
                .formatted(revision, connection.options().where()));
  }

  /**
   * Lists all entries, when changes are forgotten.
   *
   * @param listing gets each entry
   * @return the revision of the list
   */
  long list(Consumer<Entry> listing) throws EtcdFault {
    long revision = new EtcdReader(connection, keys).list(prefix, listing);
    check(revision);
    return revision;
  }

  void seen(WatchResponse response) {
    connection.saw(response.getHeader().getRevision());
  }

  Optional<RegistryException> lost() {
    return store.lost();
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
      if (its > after && KeySpace.isOwn(key) == KeySpace.isOwn(prefix)) {
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
        : new Change.Written(EtcdReader.entry(keys, event.getKeyValue()));
  }
}
