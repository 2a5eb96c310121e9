package fleet.trust;

import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Watch;
import fleet.registry.records.AuthorityRecord;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities of the cluster as last seen by the watch of the registry. Safe for use by many
 * threads; nothing waits.
 */
public final class FollowedAuthorities implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedAuthorities.class);

  private final List<LongConsumer> hearers = new CopyOnWriteArrayList<>();
  private final Watch watch;
  private volatile long generation;
  private boolean replaced;

  /**
   * Reads and follows what the registry has.
   *
   * @param onFatal told why this process cannot go on following
   * @throws RegistryException if the registry does not answer
   */
  public FollowedAuthorities(Registry registry, Consumer<String> onFatal) {
    var following =
        new WrittenEntries(
            this::take,
            why ->
                onFatal.accept(
                    "the authority of the cluster cannot be followed: " + why.getMessage()));
    this.watch = following.follow(registry, Keys.AUTHORITY);
  }

  private void take(Entry entry) {
    if (!entry.key().equals(Keys.AUTHORITY)) {
      return;
    }
    try {
      AuthorityRecord stored = AuthorityRecord.of(entry);
      generation = Authorities.of(stored).generation();
      replaced(stored.rotation().isPresent());
      hearers.forEach(hearer -> hearer.accept(generation));
    } catch (TrustException | RegistryException e) {
      LOG.warn("{}; what was there before counts", e.getMessage());
    }
  }

  /** Tells them apart from all others; 0 while there are none. */
  public long generation() {
    return generation;
  }

  private synchronized void replaced(boolean now) {
    replaced = now;
    notifyAll();
  }

  /** Waits until one authority is being replaced by another. */
  public synchronized void awaitReplaced() throws InterruptedException {
    while (!replaced) {
      wait();
    }
  }

  /** Calls a listener with the generation: now, and at each change. It must not wait. */
  public void onChange(LongConsumer hearer) {
    hearers.add(hearer);
    Optional.of(generation).filter(now -> now != 0).ifPresent(hearer::accept);
  }

  @Override
  public void close() {
    watch.close();
  }
}
