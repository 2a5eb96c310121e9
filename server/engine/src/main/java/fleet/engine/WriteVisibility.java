package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.registry.Entry;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Read your writes: a command's result is given once queries of this fleetd see what the command
 * did. Safe for use by many threads.
 */
final class WriteVisibility {

  private final StateProvider provider;
  private final AtomicLong newest = new AtomicLong();

  WriteVisibility(StateProvider provider) {
    this.provider = provider;
  }

  /** The newest revision of the registry that a command made here; 0 if there was none. */
  long newest() {
    return newest.get();
  }

  /**
   * Gives a command's result once queries see what it did.
   *
   * @throws ClusterUnavailableException if that takes long
   */
  <T> T seen(CommandResult<T> done) {
    seen(done.revision());
    return done.result();
  }

  /** The same for a command without a result. */
  void seen(long revision) {
    newest.accumulateAndGet(revision, Math::max);
    try {
      provider.awaitRevision(revision);
    } catch (ClusterUnavailableException e) {
      throw new ClusterUnavailableException("it is done, but " + e.getMessage(), e);
    }
  }

  /**
   * Returns once queries see these entries, which the caller may know of from another fleetd. Does
   * not wait for the store's own revision: states do not see what others keep in the same etcd.
   *
   * @throws ClusterUnavailableException if that takes long
   */
  void await(Collection<Entry> stored) {
    provider.awaitRevision(stored.stream().mapToLong(Entry::modified).max().orElse(0));
  }
}
