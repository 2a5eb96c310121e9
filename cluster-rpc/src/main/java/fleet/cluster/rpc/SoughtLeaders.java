package fleet.cluster.rpc;

import fleet.core.machine.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the leader when one is needed, and again when the last that was found does not answer,
 * or leads no more. At rest it asks nobody. One looks for all who wait.
 */
public final class SoughtLeaders implements Leaders {

  private static final Logger log = LoggerFactory.getLogger(SoughtLeaders.class);

  private final Supplier<List<HostPort>> finder;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Sighting last = Sighting.NONE;
  private boolean looking;

  /**
   * Knows nobody yet.
   *
   * @param finder says whom to ask, the likeliest leader first; may wait, but not for long
   */
  public SoughtLeaders(Supplier<List<HostPort>> finder) {
    this.finder = finder;
  }

  @Override
  public Sighting last() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void awaitOther(Sighting than, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (!last.equals(than)) {
        return;
      }
      // Who is asked for the first time is asked at once.
      long nanos = than.equals(Sighting.NONE) && !looking ? 0 : atMost.toNanos();
      while (last.equals(than) && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      if (!last.equals(than) || looking) {
        return;
      }
      looking = true;
    } finally {
      lock.unlock();
    }
    found(than, candidates());
  }

  private List<HostPort> candidates() {
    try {
      return finder.get();
    } catch (RuntimeException e) {
      log.debug("who leads cannot be found out", e);
      return List.of();
    }
  }

  private void found(Sighting than, List<HostPort> candidates) {
    lock.lock();
    try {
      looking = false;
      last = next(than, candidates);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The likeliest, or the one after that which did not answer; the same may answer next time. */
  private static Sighting next(Sighting than, List<HostPort> candidates) {
    if (candidates.isEmpty()) {
      return Sighting.NONE;
    }
    Optional<HostPort> failed = than.address();
    int tried = failed.map(candidates::indexOf).orElse(-1);
    return new Sighting(
        Optional.of(candidates.get((tried + 1) % candidates.size())), than.attempt() + 1);
  }
}
