package fleet.relay;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.HostPort;
import fleet.rpc.CandidateAddresses;
import fleet.rpc.RpcChannels;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The channel to the leader, which all calls share: flow control is by stream, so a slow reader
 * does not hold up others. The leader is looked up when it is needed, and again when the last one
 * does not answer or no longer leads; one thread looks it up for all that wait. An idle channel
 * makes no requests. Safe for use by many threads.
 */
final class LeaderChannel implements AutoCloseable {

  private final CandidateAddresses addresses;
  private final RpcChannels channels;
  private final Set<ManagedChannel> open = new HashSet<>();
  private Optional<Sighting> last = Optional.empty();
  private long looks;
  private boolean looking;
  private boolean closed;

  /**
   * The last known leader.
   *
   * @param channel connects when it is used; after its shutdown, the next look-up opens another,
   *     with a TLS session of its own
   * @param look numbers the look-ups
   */
  record Sighting(HostPort address, ManagedChannel channel, long look) {}

  LeaderChannel(CandidateAddresses addresses, RpcChannels channels) {
    this.addresses = addresses;
    this.channels = channels;
  }

  /** Never waits for the network; empty if no leader is known. */
  synchronized Optional<Sighting> last() {
    return last;
  }

  /**
   * Returns once a newer leader is known, or looks it up after the time; the first time, at once.
   *
   * @throws ClusterUnavailableException if there must be no connection
   */
  void awaitOther(Optional<Sighting> than, Duration atMost) throws InterruptedException {
    if (isToLook(than, atMost)) {
      found(than, addresses.candidatesOrNone());
    }
  }

  private synchronized boolean isToLook(Optional<Sighting> than, Duration atMost)
      throws InterruptedException {
    long until = System.nanoTime() + (looks == 0 && !looking ? 0 : atMost.toNanos());
    long left = until - System.nanoTime();
    while (last.equals(than) && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = until - System.nanoTime();
    }
    boolean isFirst = last.equals(than) && !looking;
    looking |= isFirst;
    return isFirst;
  }

  private synchronized void found(Optional<Sighting> than, List<HostPort> candidates) {
    looking = false;
    looks++;
    last = Optional.empty();
    notifyAll();
    open.removeIf(ManagedChannel::isTerminated);
    if (candidates.isEmpty()) {
      return;
    }
    // The likeliest address, or the one after the one that did not answer.
    int tried = than.map(Sighting::address).map(candidates::indexOf).orElse(-1);
    HostPort next = candidates.get((tried + 1) % candidates.size());
    ManagedChannel channel =
        than.filter(before -> before.address().equals(next) && !before.channel().isShutdown())
            .map(Sighting::channel)
            .orElseGet(() -> channel(next));
    last = Optional.of(new Sighting(next, channel, looks));
    // Calls that have begun go on.
    open.stream().filter(other -> !other.equals(channel)).forEach(ManagedChannel::shutdown);
    open.add(channel);
  }

  private ManagedChannel channel(HostPort address) {
    if (closed) {
      throw new ClusterUnavailableException("fleetd is stopping");
    }
    try {
      return channels.open(address);
    } catch (IOException e) {
      throw new ClusterUnavailableException("cannot ask the leader: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    last = Optional.empty();
    open.forEach(ManagedChannel::shutdownNow);
  }
}
