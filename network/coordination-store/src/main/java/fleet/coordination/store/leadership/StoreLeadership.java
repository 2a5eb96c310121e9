package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Leadership by a key of the shared registry, on a lease; the revision that created the key is the
 * leader's token.
 *
 * <p>A leader stays one until the store says otherwise: while the store is away, no other engine
 * can lead either. Standbys hold a connection to the leader, and revoke its lease if its process
 * has proved to have ended. Safe for use by many threads.
 */
public final class StoreLeadership implements Leadership {

  private final SharedRegistry registry;
  private final Machine machine;
  private final EventLoop.Factory loops;
  private final RandomGenerator chance;
  private LeadershipSettings settings;
  private String publicIp;
  private Optional<Election> election = Optional.empty();
  private boolean closed;

  /** Does not stand for election before {@link #campaign}. */
  public StoreLeadership(
      SharedRegistry registry,
      Machine machine,
      LeadershipSettings settings,
      EventLoop.Factory loops) {
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
      EventLoop.Factory loops,
      RandomGenerator chance) {
    this.registry = registry;
    this.machine = machine;
    this.settings = settings;
    this.loops = loops;
    this.chance = chance;
    this.publicIp = machine.publicIp();
  }

  /**
   * Others reach this process elsewhere from now on. If it leads, the leader's key says so as soon
   * as the store takes it.
   *
   * @param to where others reach this machine; empty if that is not known
   * @param served {@code host:port} where this process listens already; empty if leadership has a
   *     port of its own
   */
  public synchronized void move(String to, Optional<String> served) {
    publicIp = to;
    settings = settings.servedAt(served);
    election.ifPresent(begun -> begun.move(to, served));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if it was called before, or this is closed
   */
  @Override
  public synchronized void campaign(Candidate candidate) {
    if (closed || election.isPresent()) {
      throw new IllegalStateException("an engine takes part in elections once");
    }
    Election begun = new Election(registry, machine, publicIp, settings, loops, chance, candidate);
    election = Optional.of(begun);
    begun.begin();
  }

  @Override
  public synchronized boolean isCertain() {
    return election.filter(Election::isCertain).isPresent();
  }

  @Override
  public synchronized Optional<Duration> confirmedAgo() {
    return election.flatMap(Election::confirmedAgo);
  }

  /**
   * Hands over without waiting.
   *
   * @return completes once the lead is handed over, or there was none, or the registry has not
   *     answered for seconds: then the lead ends with its lease
   */
  public synchronized CompletableFuture<Void> resign() {
    closed = true;
    return election.map(Election::end).orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  @Override
  public void close() {
    resign().join();
  }

  /** Leaves everything as it is; the lease, if there is one, ends by itself. */
  synchronized void abandon() {
    election.ifPresent(Election::abandon);
  }
}
