package fleet.registry.etcd;

import fleet.registry.AnotherStoreException;
import fleet.registry.RegistryException;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store that a handle was opened on, and whether etcd still has it. Safe for many threads.
 *
 * <p>A backup of etcd that is restored has the same keys and the same name, but revisions that went
 * backwards and are given out once more, to other changes. The first fleetd that notices renames
 * the store, so that all others notice, and every write demands the name that its handle knows.
 */
final class Store {

  private static final Logger log = LoggerFactory.getLogger(Store.class);

  private final EtcdClient connection;
  private final KeySpace keys;
  private final StoreId id;
  private final Consumer<RegistryException> onLost;
  private final AtomicReference<@Nullable AnotherStoreException> lost = new AtomicReference<>();
  private volatile boolean backwards;

  /**
   * The store of that name.
   *
   * @param onLost told once, by any thread, when it is found to be another
   */
  Store(EtcdClient connection, KeySpace keys, StoreId id, Consumer<RegistryException> onLost) {
    this.connection = connection;
    this.keys = keys;
    this.id = id;
    this.onLost = onLost;
  }

  StoreId id() {
    return id;
  }

  /** The condition of every write: the store is still the same. */
  Cmp unchanged() {
    return new Cmp(keys.storeId(), Cmp.Op.EQUAL, CmpTarget.value(KeySpace.value(id.text())));
  }

  boolean isCalled(Optional<String> found) {
    return found.filter(id.text()::equals).isPresent();
  }

  Optional<RegistryException> lost() {
    return Optional.ofNullable(lost.get());
  }

  /** The exception for a failure, after checking what the failure says about the store. */
  RegistryException exceptionOf(EtcdFault fault) {
    return fault.kind() == EtcdFault.Kind.ANOTHER_STORE
        ? wentBackwards()
        : fault.toRegistryException();
  }

  /** etcd has lost known revisions: its name is void. */
  RegistryException wentBackwards() {
    // Done first: a new request makes the connection forget what it has seen.
    backwards = true;
    try {
      StoreId.renew(
          connection, keys, id.text(), connection.repeatAndReset(kv -> kv.get(keys.storeId())));
    } catch (EtcdFault e) {
      log.error("registry: a restored store keeps its old name for now: {}", e.getMessage());
    }
    return becomeLost("its revision has gone back, as when a backup is restored");
  }

  /** Whether that was noticed, perhaps at this moment by another thread that is still at it. */
  boolean hasGoneBackwards() {
    return backwards;
  }

  /** Somebody else has given it another name. */
  RegistryException renamed() {
    return becomeLost("its name has changed, as when a backup is restored");
  }

  private RegistryException becomeLost(String why) {
    AnotherStoreException is =
        new AnotherStoreException(
            "%s holds another store now: %s; everything must be read again, so restart fleetd"
                .formatted(connection.options().where(), why));
    if (lost.compareAndSet(null, is)) {
      log.warn("registry: {}", is.getMessage());
      onLost.accept(is);
    }
    return is;
  }
}
