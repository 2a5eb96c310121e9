package fleet.hollow;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.coordination.rpc.StreamConnector;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.rpc.RpcChannels;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Over RPC to whoever leads; each machine has a connection of its own. */
final class RpcTransport implements HollowTransport {

  private static final Logger log = LoggerFactory.getLogger(RpcTransport.class);

  private final List<HostPort> servers;
  private final Duration ttl;
  private final Credentials credentials;

  /**
   * @param servers whom machines ask who leads
   * @param credentials what machines show them
   */
  RpcTransport(List<HostPort> servers, Duration ttl, Credentials credentials) {
    this.servers = List.copyOf(servers);
    this.ttl = ttl;
    this.credentials = credentials;
  }

  @Override
  public void enrol(List<String> machines) throws InterruptedException {
    credentials.obtain(machines);
  }

  @Override
  public AgentCoordination open(Machine machine, EventLoop.Factory loops) {
    return new RpcAgentCoordination(
        () -> servers,
        StreamConnector.over(new RpcChannels(credentials.of(machine.id()))),
        loops,
        ttl,
        why -> log.error("machine {} cannot go on: {}", machine.id(), why));
  }

  /** Connections end with the process. */
  @Override
  public void close() {}
}
