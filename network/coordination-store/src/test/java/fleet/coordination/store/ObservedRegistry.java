package fleet.coordination.store;

import fleet.core.testing.Await;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.ForwardingRegistry;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A registry that tells what it is asked for, and with what result. For many threads. */
public final class ObservedRegistry extends ForwardingRegistry {

  private final List<Lease> granted = new ArrayList<>();
  private final List<Long> revoked = new ArrayList<>();
  private final List<Change> told = new ArrayList<>();
  private int watches;
  private int renewals;
  private int failures;

  public ObservedRegistry(SharedRegistry real) {
    super(real);
  }

  /** The leases that were granted, in that order. */
  public synchronized List<Lease> granted() {
    return List.copyOf(granted);
  }

  /** The leases that lived until they were revoked here. */
  public synchronized List<Long> revoked() {
    return List.copyOf(revoked);
  }

  /** How many renewals were answered by saying that the lease lives. */
  public synchronized int renewals() {
    return renewals;
  }

  public synchronized void awaitRenewals(int count) throws InterruptedException {
    await(() -> renewals >= count);
  }

  /** How many renewals, and attempts to read, have failed. */
  public synchronized int failures() {
    return failures;
  }

  public synchronized void awaitFailures(int count) throws InterruptedException {
    await(() -> failures >= count);
  }

  /** Waits until so many watches were opened. */
  public synchronized void awaitWatches(int count) throws InterruptedException {
    await(() -> watches >= count);
  }

  /** Waits until a watcher was told of such a change. */
  public void awaitTold(Predicate<Change> such) throws InterruptedException {
    awaitTold(such, 1);
  }

  /** Waits until a watcher was told of such a change so many times. */
  public synchronized void awaitTold(Predicate<Change> such, int times)
      throws InterruptedException {
    await(() -> told.stream().filter(such).count() >= times);
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    Await.notified(
        this,
        condition,
        () ->
            "watches: %d, renewals: %d, failures: %d, told: %s"
                .formatted(watches, renewals, failures, told));
  }

  private synchronized void note(Runnable what) {
    what.run();
    notifyAll();
  }

  @Override
  public Snapshot read(String prefix) {
    try {
      return super.read(prefix);
    } catch (RegistryException e) {
      note(() -> failures++);
      throw e;
    }
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    Watch watch = super.watch(prefix, from, observed(watcher));
    note(() -> watches++);
    return watch;
  }

  private Watcher observed(Watcher watcher) {
    return new Watcher() {
      @Override
      public void changed(Delta delta) {
        watcher.changed(delta);
        note(() -> told.addAll(delta.changes()));
      }

      @Override
      public void failed(RegistryException why) {
        watcher.failed(why);
      }
    };
  }

  @Override
  public Lease grant(Duration ttl) {
    Lease lease = super.grant(ttl);
    note(() -> granted.add(lease));
    return new Observed(lease);
  }

  @Override
  public Lease lease(long id, Duration ttl) {
    return new Observed(super.lease(id, ttl));
  }

  private final class Observed implements Lease {
    private final Lease real;

    Observed(Lease real) {
      this.real = real;
    }

    @Override
    public long id() {
      return real.id();
    }

    @Override
    public Duration ttl() {
      return real.ttl();
    }

    @Override
    public boolean renew() {
      try {
        boolean lives = real.renew();
        note(() -> renewals += lives ? 1 : 0);
        return lives;
      } catch (RegistryException e) {
        note(() -> failures++);
        throw e;
      }
    }

    @Override
    public boolean revoke() {
      boolean lived = real.revoke();
      if (lived) {
        note(() -> revoked.add(real.id()));
      }
      return lived;
    }
  }
}
