package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership by a key of the shared registry, on a lease; the revision that created the key is the
 * leader's token.
 *
 * <p>A leader stays one until the store says otherwise: while the store is away nobody else can
 * lead either. Standbys hold a connection to the leader, and revoke its lease where its process has
 * proved to have ended. Safe for use by many threads.
 */
public final class StoreLeadership implements Leadership {

  private static final Logger log = LoggerFactory.getLogger(StoreLeadership.class);

  /** The engine has its time to retire, and the store its time to hear of it. */
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(8);

  private final SharedRegistry registry;
  private final Machine machine;
  private final LeadershipSettings settings;
  private final EventLoop.Starter loops;
  private final RandomGenerator chance;
  private Optional<Election> election = Optional.empty();
  private boolean closed;

  /** Takes no part before {@link #campaign}. */
  public StoreLeadership(
      SharedRegistry registry,
      Machine machine,
      LeadershipSettings settings,
      EventLoop.Starter loops) {
    this(registry, machine, settings, loops, RandomGenerator.getDefault());
  }

  /**
   * With chance from outside.
   *
   * @param chance used by one thread at a time
   */
  public StoreLeadership(
      SharedRegistry registry,
      Machine machine,
      LeadershipSettings settings,
      EventLoop.Starter loops,
      RandomGenerator chance) {
    this.registry = registry;
    this.machine = machine;
    this.settings = settings;
    this.loops = loops;
    this.chance = chance;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException where it was called before, or this is closed
   */
  @Override
  public synchronized void campaign(Candidate candidate) {
    if (closed || election.isPresent()) {
      throw new IllegalStateException("an engine takes part in elections once");
    }
    Election begun = new Election(registry, machine, settings, loops, chance, candidate);
    election = Optional.of(begun);
    begun.begin();
  }

  /**
   * Hands over without waiting for it.
   *
   * @return completes once the lead is handed over, or there was none
   */
  public synchronized CompletableFuture<Void> resign() {
    closed = true;
    return election.map(Election::end).orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  @Override
  public void close() {
    try {
      resign().get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.warn(
          "leadership: the registry does not answer; the lead, where this machine has it, ends with"
              + " its lease in {} s",
          settings.lease().toSeconds());
      abandon();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abandon();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Leaves everything as it is; the lease, where there is one, ends by itself. */
  synchronized void abandon() {
    election.ifPresent(Election::abandon);
  }
}
