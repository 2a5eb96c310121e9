package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.store.KeyFollower;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader by the store: followed, so that no call has to read the store, and remembered while
 * the store is away. Safe for use by many threads.
 */
public final class FollowedLeader implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FollowedLeader.class);

  private final EventLoop loop;
  private final KeyFollower follower;
  private final Duration patience;
  private final CompletableFuture<Void> looked = new CompletableFuture<>();
  private volatile Optional<LeaderRecord> leader = Optional.empty();
  private volatile Optional<LeaderRecord> last = Optional.empty();

  /**
   * Begins to follow.
   *
   * @param patience how long callers wait for the store's first answer
   */
  public FollowedLeader(Registry registry, EventLoop.Factory loops, Duration patience) {
    this.patience = patience;
    this.loop = loops.start("leader", () -> {});
    this.follower = loop.call(() -> new KeyFollower(loop, registry, Keys.LEADER, this::seen));
    loop.post(follower::start);
  }

  private void seen(Optional<Entry> entry, long revision) {
    Optional<LeaderRecord> now = entry.flatMap(FollowedLeader::read);
    last = now.or(() -> last);
    leader = now;
    log.trace("the leader at revision {}: {}", revision, leader);
    looked.complete(null);
  }

  private static Optional<LeaderRecord> read(Entry entry) {
    try {
      return Optional.of(LeaderRecord.of(entry));
    } catch (RegistryException e) {
      log.debug("who leads cannot be read", e);
      return Optional.empty();
    }
  }

  /**
   * {@code host:port} where others speak to the leader; empty if nobody leads, or one that is
   * spoken to through the store alone.
   *
   * @throws RegistryException if the store has not answered yet
   */
  public Optional<String> rpcAddress() {
    await();
    return knownRpcAddress();
  }

  /** The same, as far as it is known; never waits. */
  public Optional<String> knownRpcAddress() {
    return leader.filter(LeaderRecord::rpc).map(LeaderRecord::address);
  }

  /** The machine that leads, as far as it is known; never waits. */
  public Optional<String> knownMachine() {
    return leader.map(LeaderRecord::machine);
  }

  /**
   * Whether machines use RPC with the leader, so that only it has the full state; without a leader,
   * the same of the last known one.
   *
   * @param otherwise the result if none is known
   * @throws RegistryException if the store has not answered yet
   */
  public boolean isSpokenTo(boolean otherwise) {
    await();
    return last.map(LeaderRecord::rpc).orElse(otherwise);
  }

  /** Whether it is known that machines do not use RPC with the leader; never waits. */
  public boolean isSilent() {
    return last.filter(record -> !record.rpc()).isPresent();
  }

  private void await() {
    try {
      looked.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegistryException("interrupted", e);
    } catch (TimeoutException | ExecutionException e) {
      throw new RegistryException("who leads is not known: the registry has not answered yet", e);
    }
  }

  @Override
  public void close() {
    loop.post(follower::close);
    loop.close();
  }
}
