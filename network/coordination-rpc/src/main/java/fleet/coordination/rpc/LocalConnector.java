package fleet.coordination.rpc;

import fleet.core.machine.HostPort;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.io.IOException;
import java.util.Optional;

/**
 * Opens in-process streams to this fleetd's own engine, and normal ones to others: a leader's own
 * machine costs no network traffic.
 *
 * @param own where others reach this fleetd's engine
 */
public record LocalConnector(HostPort own, RpcEngineCoordination engine, StreamConnector others)
    implements StreamConnector {

  @Override
  public MessageStream<FromAgent> dial(
      HostPort address, MessageStream.Listener<FromLeader> listener) throws IOException {
    return address.equals(own)
        ? LocalStream.open(stream -> engine.arrived(stream, Optional.empty()), listener)
        : others.dial(address, listener);
  }
}
