package fleet.registry;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.core.store.StoreHealth;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Counts the operations of a registry. */
public class MeteredRegistry implements Registry {

  private final Registry registry;
  private final Meter meter;

  private MeteredRegistry(Registry registry, Meter meter) {
    this.registry = registry;
    this.meter = meter;
  }

  /** Counts the operations of a registry that nobody shares. */
  public static Registry of(Registry registry, Meter meter) {
    return new MeteredRegistry(registry, meter);
  }

  /** Counts the operations of one that machines share. */
  public static SharedRegistry of(SharedRegistry registry, Meter meter) {
    return new Shared(registry, meter);
  }

  /** Tells how large it is. */
  public static void tellSize(Registry registry, Meter meter) {
    registry
        .size()
        .ifPresent(size -> meter.record(Metric.FLEET_REGISTRY_SIZE_BYTES, (double) size));
  }

  final <T> T timed(String operation, Supplier<T> work) {
    long begun = System.nanoTime();
    try {
      return work.get();
    } catch (RuntimeException e) {
      meter.record(Metric.FLEET_REGISTRY_OPERATION_FAILURES_TOTAL, 1, operation);
      throw e;
    } finally {
      meter.time(Metric.FLEET_REGISTRY_OPERATION_SECONDS, System.nanoTime() - begun, operation);
    }
  }

  @Override
  public String storeId() {
    return registry.storeId();
  }

  @Override
  public StoreHealth health() {
    return registry.health();
  }

  @Override
  public OptionalLong size() {
    return registry.size();
  }

  @Override
  public Optional<Entry> get(String key) {
    return timed("get", () -> registry.get(key));
  }

  @Override
  public Map<String, Entry> get(Set<String> keys) {
    return timed("get", () -> registry.get(keys));
  }

  @Override
  public Snapshot read(String prefix) {
    return timed("read", () -> registry.read(prefix));
  }

  @Override
  public Outcome commit(Transaction transaction) {
    return timed("commit", () -> registry.commit(transaction));
  }

  @Override
  public List<Outcome> commit(List<Transaction> transactions) {
    return timed("commit", () -> registry.commit(transactions));
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    return timed("watch", () -> registry.watch(prefix, from, watcher));
  }

  @Override
  public void close() {
    registry.close();
  }

  private static final class Shared extends MeteredRegistry implements SharedRegistry {
    private final SharedRegistry registry;

    Shared(SharedRegistry registry, Meter meter) {
      super(registry, meter);
      this.registry = registry;
    }

    @Override
    public Lease grant(Duration ttl) {
      return new Metered(timed("lease", () -> registry.grant(ttl)));
    }

    @Override
    public Lease lease(long id, Duration ttl) {
      return new Metered(registry.lease(id, ttl));
    }

    private final class Metered implements Lease {
      private final Lease lease;

      Metered(Lease lease) {
        this.lease = lease;
      }

      @Override
      public long id() {
        return lease.id();
      }

      @Override
      public Duration ttl() {
        return lease.ttl();
      }

      @Override
      public boolean renew() {
        return timed("lease", lease::renew);
      }

      @Override
      public boolean revoke() {
        return timed("lease", lease::revoke);
      }
    }
  }
}
