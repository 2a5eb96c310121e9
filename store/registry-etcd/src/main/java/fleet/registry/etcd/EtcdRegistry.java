package fleet.registry.etcd;

import fleet.core.store.StoreHealth;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry in etcd v3, 3.4 or newer, shared by many fleetds and possibly with others.
 *
 * <p>Its revision is etcd's own, so it also rises with what others write beside it. Commits of one
 * handle that are asked for at the same time share a request, and so a revision.
 */
public final class EtcdRegistry implements SharedRegistry {

  private static final Logger log = LoggerFactory.getLogger(EtcdRegistry.class);

  /** How often it polls facts without events: how full etcd is, and when a certificate ends. */
  private static final Duration LOOK = Duration.ofMinutes(10);

  /** Work that runs beside until this is closed. */
  sealed interface Background extends AutoCloseable permits PeriodicTask, Compaction {
    @Override
    void close();
  }

  private final EtcdClient connection;
  private final KeySpace keys;
  private final Store store;
  private final EtcdReader reader;
  private final EtcdCommitter committer;
  private final Set<EtcdWatch> watches = ConcurrentHashMap.newKeySet();
  private final Outage outage = new Outage();
  private final OwnCertificate certificate;
  private final SpaceWarning space;
  private final Queue<Background> background = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EtcdRegistry(EtcdClient connection, KeySpace keys, StoreId id) {
    this.connection = connection;
    this.keys = keys;
    this.store = new Store(connection, keys, id, this::lost);
    this.reader = new EtcdReader(connection, keys);
    this.committer = new EtcdCommitter(connection, keys, store);
    this.certificate = OwnCertificate.of(connection.options());
    this.space = new SpaceWarning(connection);
  }

  /** Notices when somebody else renames the store. */
  private EtcdRegistry following() {
    StoreId id = store.id();
    Snapshot named = new Snapshot(id.revision(), List.of());
    watch(KeySpace.STORE_ID, named, new OwnName());
    background.add(
        new PeriodicTask(
            "registry-look",
            LOOK,
            () -> {
              certificate.look();
              space.run();
            }));
    return this;
  }

  private final class OwnName implements Watcher {
    @Override
    public void changed(Delta delta) {
      if (!(delta.changes().getFirst() instanceof Change.Written now
          && store.isCalled(Optional.of(now.entry().value())))) {
        throw store.renamed();
      }
    }

    @Override
    public void failed(RegistryException why) {
      log.debug("registry: its name is no longer followed: {}", why.getMessage());
    }
  }

  private void lost(RegistryException why) {
    watches.forEach(watch -> watch.end(why));
  }

  /**
   * Reaches etcd, and names the store if it has no name yet.
   *
   * @throws RegistryException if etcd cannot be reached or does not let us in
   */
  public static EtcdRegistry open(EtcdOptions options) {
    return open(options, ConnectionTimeouts.REAL);
  }

  /**
   * As {@link #open}, but says at once if etcd cannot be reached: for a caller that tries again.
   */
  public static EtcdRegistry openAtOnce(EtcdOptions options) {
    return open(EtcdClient.impatient(options));
  }

  static EtcdRegistry open(EtcdOptions options, ConnectionTimeouts timing) {
    return open(new EtcdClient(options, timing));
  }

  private static EtcdRegistry open(EtcdClient connecting) {
    return connected(
        connecting,
        (connection, keys) -> {
          StoreId id = StoreId.readOrMake(connection, keys);
          connection.bePatient();
          return new EtcdRegistry(connection, keys, id).following();
        });
  }

  /**
   * All that is where a store would be, and of which no fleetd can know anything: empty if a store
   * has a name already. Writes nothing, and says at once if etcd cannot be reached: for a caller
   * that tries again.
   *
   * @throws RegistryException if etcd cannot be reached or does not let us in
   */
  public static List<Entry> strangersAtOnce(EtcdOptions options) {
    return connected(
        EtcdClient.impatient(options),
        (connection, keys) -> {
          EtcdReader reader = new EtcdReader(connection, keys);
          boolean named = reader.get(KeySpace.STORE_ID).isPresent();
          List<Entry> there = named ? List.of() : reader.read("").entries();
          connection.close();
          return there;
        });
  }

  private interface Opening<T> {
    T with(EtcdClient connection, KeySpace keys) throws EtcdFault;
  }

  /** The connection is closed if that fails. */
  private static <T> T connected(EtcdClient connection, Opening<T> opening) {
    try {
      return opening.with(connection, new KeySpace(connection.options().keyPrefix()));
    } catch (EtcdFault e) {
      RegistryException why = diagnosed(connection, e).toRegistryException();
      connection.close();
      throw OwnCertificate.of(connection.options())
          .fault()
          .map(fault -> new RegistryException(why.getMessage() + "; " + fault, e))
          .orElse(why);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Silence may also mean that there is no quorum; then members still tell of themselves. */
  private static EtcdFault diagnosed(EtcdClient connection, EtcdFault fault) {
    if (fault.kind() != EtcdFault.Kind.UNKNOWN) {
      return fault;
    }
    for (URI endpoint : connection.options().endpoints()) {
      try {
        if (connection.status(endpoint).getLeader() == 0) {
          return connection.faults().noQuorum(fault);
        }
      } catch (EtcdFault e) {
        log.debug("registry: {} does not report its status: {}", endpoint, e.getMessage());
      }
    }
    return fault;
  }

  /**
   * Has etcd forget changes that are older than {@link EtcdOptions#compactAfter}, until the result
   * or this registry is closed. All of etcd's changes, so it is done only if that is set, and by
   * one machine: the leader.
   *
   * @return empty if it is not configured
   */
  public Optional<Compaction> startCompacting() {
    refuseWhereOver();
    return connection
        .options()
        .compactAfter()
        .map(age -> {
          Compaction compaction = new Compaction(connection, keys, store, age, background::remove);
          background.add(compaction);
          return compaction;
        });
  }

  /**
   * Calls a listener with the reason why etcd does not answer, for people, or empty if it does: at
   * once, and at each change. The listener must not wait, and replaces the former one.
   */
  public void onOutage(Consumer<Optional<String>> hearer) {
    outage.onChange(hearer);
  }

  /** Has something done, by another thread, whenever {@link #certificateProblem} changes. */
  public void onCertificateProblem(Runnable work) {
    certificate.onChange(work);
  }

  /**
   * When the certificate ends that this machine shows to etcd, and what to do; empty if that is
   * more than a month away.
   */
  public Optional<String> certificateProblem() {
    return certificate.problem();
  }

  @Override
  public String storeId() {
    return store.id().text();
  }

  @Override
  public OptionalLong size() {
    return space.size();
  }

  @Override
  public StoreHealth health() {
    refuseWhereOver();
    return new MemberHealth(connection).ask();
  }

  @Override
  public Optional<Entry> get(String key) {
    return answered(() -> reader.get(key));
  }

  @Override
  public Snapshot read(String prefix) {
    return answered(() -> reader.read(prefix));
  }

  @Override
  public Map<String, Entry> get(Set<String> names) {
    return answered(() -> reader.get(names));
  }

  private <T> T answered(EtcdClient.Attempt<T> reading) {
    refuseWhereOver();
    try {
      return reading.send();
    } catch (EtcdFault e) {
      throw store.exceptionOf(e);
    }
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return commit(List.of(transaction)).getFirst();
  }

  @Override
  public List<Outcome> commit(List<Transaction> transactions) {
    refuseWhereOver();
    return committer.commit(transactions);
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    refuseWhereOver();
    ChangeSource changes = new ChangeSource(connection, keys, store, prefix);
    EtcdWatch watch =
        new EtcdWatch(changes, from, watcher, watches, outage, connection.timing().longestPause());
    watch.start();
    if (closed.get()) {
      watch.close();
      throw connection.faults().closed();
    }
    return watch;
  }

  @Override
  public Lease grant(Duration ttl) {
    refuseWhereOver();
    return EtcdLease.grant(connection, ttl);
  }

  @Override
  public Lease lease(long lease, Duration ttl) {
    return new EtcdLease(connection, lease, ttl);
  }

  private void refuseWhereOver() {
    if (closed.get()) {
      throw connection.faults().closed();
    }
    store
        .lost()
        .ifPresent(why -> {
          throw why;
        });
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      committer.close();
      background.forEach(Background::close);
      List.copyOf(watches).forEach(EtcdWatch::close);
      connection.close();
    }
  }
}
