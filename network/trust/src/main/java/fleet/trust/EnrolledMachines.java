package fleet.trust;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at each call whether the calling machine is still part of the cluster. It follows the
 * bindings of the registry, so that calls do not wait for it; while the registry is away, the last
 * known ones count. Safe for use by many threads.
 */
public final class EnrolledMachines implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EnrolledMachines.class);

  private final Registry registry;
  private final IdentityBindings bindings;
  private final Consumer<String> onFatal;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** Keys that were looked up in the registry, since a machine showed them, and not found. */
  private final Map<String, String> refuted = new ConcurrentHashMap<>();

  /** Machines with a pending call of the registry. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  private final List<Consumer<String>> hearers = new CopyOnWriteArrayList<>();
  private final Watch watch;

  /**
   * A binding as it was seen.
   *
   * @param modified the revision that wrote it
   */
  private record Known(IdentityRecord record, long modified) {}

  /**
   * A machine is not served.
   *
   * @param certain false if another server may know better in a moment: it should retry
   */
  public record Objection(String why, boolean certain) {}

  /**
   * Reads and follows what the registry has.
   *
   * @param onFatal told why this process cannot go on following
   * @throws RegistryException if the registry does not answer
   */
  public EnrolledMachines(Registry registry, IdentityBindings bindings, Consumer<String> onFatal) {
    this.registry = registry;
    this.bindings = bindings;
    this.onFatal = onFatal;
    Snapshot there = registry.read(Keys.IDENTITIES);
    there.entries().forEach(this::take);
    this.watch = registry.watch(Keys.IDENTITIES, there, new Follower());
  }

  /** Calls a listener for each machine whose former certificates are no longer valid. */
  public void onEnd(Consumer<String> hearer) {
    hearers.add(hearer);
  }

  private Optional<IdentityRecord> record(String machine) {
    return Optional.ofNullable(known.get(machine)).map(Known::record);
  }

  /** The number of known machines, including those that have left. */
  public int count() {
    return known.size();
  }

  /** Why a machine was thrown out, if it was. */
  public Optional<String> removal(String machine) {
    return record(machine)
        .flatMap(IdentityRecord::removal)
        .map(removal -> IdentityBindings.removed(machine, removal));
  }

  /**
   * Why a machine is not served; empty if it is. A machine that is not bound yet joined before
   * there were bindings, and is bound to the key that it shows.
   *
   * @param key fingerprint of the key that it has proved itself with
   */
  public Optional<Objection> objection(Peer peer, String key) {
    String machine = peer.machine();
    if (record(machine).isEmpty()) {
      beside(machine, () -> bindings.bind(peer, key));
      return Optional.empty();
    }
    Optional<String> why = judged(machine, key);
    if (why.isEmpty()) {
      return Optional.empty();
    }
    boolean certain = key.equals(refuted.get(machine));
    if (!certain) {
      beside(machine, () -> askRegistry(machine, key));
    }
    return Optional.of(new Objection(why.get(), certain));
  }

  /** If the registry has a newer word than the watch brought so far, that counts. */
  private void askRegistry(String machine, String key) {
    registry.get(Keys.identity(machine)).ifPresent(this::take);
    if (judged(machine, key).isPresent()) {
      refuted.put(machine, key);
    }
  }

  private Optional<String> judged(String machine, String key) {
    return record(machine).flatMap(record -> IdentityBindings.objection(machine, record, key));
  }

  private void beside(String machine, Runnable work) {
    if (!busy.add(machine)) {
      return;
    }
    Thread.ofVirtual()
        .name("identity of " + machine)
        .start(() -> {
          try {
            work.run();
          } catch (RegistryException e) {
            // The machine comes again.
            LOG.debug("the registry does not answer about machine {}", machine, e);
          } finally {
            busy.remove(machine);
          }
        });
  }

  private synchronized void take(Entry entry) {
    String machine = entry.key().substring(Keys.IDENTITIES.length());
    try {
      IdentityRecord now = IdentityRecord.of(entry);
      Known before = known.get(machine);
      if (before != null && before.modified() >= entry.modified()) {
        return;
      }
      known.put(machine, new Known(now, entry.modified()));
      refuted.remove(machine);
      if (before != null && judged(machine, before.record().key()).isPresent()) {
        hearers.forEach(hearer -> hearer.accept(machine));
      }
    } catch (RegistryException e) {
      LOG.warn("{}; machine {} is judged by its record from before", e.getMessage(), machine);
    }
  }

  private final class Follower implements Watcher {
    @Override
    public void changed(Delta delta) {
      for (Delta.Change change : delta.changes()) {
        switch (change) {
          case Delta.Change.Written(Entry entry) -> take(entry);
          case Delta.Change.Deleted(String key) ->
              known.remove(key.substring(Keys.IDENTITIES.length()));
        }
      }
    }

    @Override
    public void failed(RegistryException why) {
      onFatal.accept("who belongs to the cluster cannot be followed: " + why.getMessage());
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
