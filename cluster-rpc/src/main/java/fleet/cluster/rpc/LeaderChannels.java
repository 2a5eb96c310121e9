package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection to whoever leads, which all calls share: flow control is by stream, so a reader
 * that does not read holds up nobody else. One that is no longer used for new calls stays until the
 * last one on it has ended. Safe for use by many threads.
 */
final class LeaderChannels implements AutoCloseable {

  private final RpcChannels channels;
  private final Set<Shared> open = new HashSet<>();
  private @Nullable Shared current;
  private boolean closed;

  /** A connection, and how many calls are on it. */
  private static final class Shared {
    private final HostPort address;
    private final ManagedChannel channel;
    private int calls;

    Shared(HostPort address, ManagedChannel channel) {
      this.address = address;
      this.channel = channel;
    }
  }

  /** A connection, for one call; closed after it. */
  final class Lent implements AutoCloseable {
    private final Shared shared;
    private boolean returned;

    private Lent(Shared shared) {
      this.shared = shared;
    }

    ManagedChannel channel() {
      return shared.channel;
    }

    /** No longer uses it for new calls: else they would wait ever longer for it to connect. */
    void drop() {
      synchronized (LeaderChannels.this) {
        forget(shared);
      }
    }

    @Override
    public void close() {
      synchronized (LeaderChannels.this) {
        if (!returned) {
          returned = true;
          shared.calls--;
          endUnused(shared);
        }
      }
    }
  }

  LeaderChannels(RpcChannels channels) {
    this.channels = channels;
  }

  /**
   * A connection, which opens when it is used.
   *
   * @throws ClusterUnavailableException where there must be none
   */
  synchronized Lent to(HostPort address) {
    if (closed) {
      throw new ClusterUnavailableException("fleetd is stopping");
    }
    Shared shared = current;
    if (shared == null || !shared.address.equals(address)) {
      if (shared != null) {
        forget(shared);
      }
      shared = new Shared(address, channel(address));
      open.add(shared);
      current = shared;
    }
    shared.calls++;
    return new Lent(shared);
  }

  private ManagedChannel channel(HostPort address) {
    try {
      return channels.open(address);
    } catch (IOException e) {
      throw new ClusterUnavailableException("cannot ask the leader: " + e.getMessage(), e);
    }
  }

  private void forget(Shared shared) {
    if (Objects.equals(current, shared)) {
      current = null;
    }
    endUnused(shared);
  }

  private void endUnused(Shared shared) {
    if (shared.calls == 0 && !Objects.equals(current, shared) && open.remove(shared)) {
      shared.channel.shutdown();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    current = null;
    open.forEach(shared -> shared.channel.shutdownNow());
    open.clear();
  }
}
