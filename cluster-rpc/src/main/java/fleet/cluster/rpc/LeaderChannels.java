package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection to whoever leads, which all calls share: flow control is by stream, so a reader
 * that does not read holds up nobody else. One that is no longer used for new calls stays until the
 * last one on it has ended. Safe for use by many threads.
 */
final class LeaderChannels implements AutoCloseable {

  private final RpcChannels channels;
  private final Set<ManagedChannel> former = new HashSet<>();
  private @Nullable Open current;
  private boolean closed;

  private record Open(HostPort address, ManagedChannel channel) {}

  LeaderChannels(RpcChannels channels) {
    this.channels = channels;
  }

  /**
   * A connection, which opens when it is used. A call that begins on one that is dropped meanwhile
   * fails before it is sent.
   *
   * @throws ClusterUnavailableException where there must be none
   */
  synchronized ManagedChannel to(HostPort address) {
    if (closed) {
      throw new ClusterUnavailableException("fleetd is stopping");
    }
    Open open = current;
    if (open == null || !open.address.equals(address)) {
      retire();
      open = new Open(address, channel(address));
      current = open;
    }
    return open.channel;
  }

  private ManagedChannel channel(HostPort address) {
    try {
      return channels.open(address);
    } catch (IOException e) {
      throw new ClusterUnavailableException("cannot ask the leader: " + e.getMessage(), e);
    }
  }

  /** No longer uses it for new calls: else they would wait ever longer for it to connect. */
  synchronized void drop(ManagedChannel channel) {
    if (current != null && current.channel.equals(channel)) {
      retire();
    }
  }

  private void retire() {
    former.removeIf(ManagedChannel::isTerminated);
    if (current != null) {
      former.add(current.channel.shutdown());
      current = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    retire();
    former.forEach(ManagedChannel::shutdownNow);
  }
}
