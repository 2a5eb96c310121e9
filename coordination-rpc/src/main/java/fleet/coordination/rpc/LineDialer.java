package fleet.coordination.rpc;

import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.io.IOException;

/** Opens lines to leaders; may wait for names to be looked up. Safe for use by many threads. */
@FunctionalInterface
public interface LineDialer {

  /** Over gRPC. */
  static LineDialer over(RpcChannels channels) {
    return (address, listener) -> GrpcLines.dial(channels, address, listener);
  }

  /**
   * Connects some time.
   *
   * @throws IOException with a message for the operator, where that must not be
   */
  Line<FromAgent> dial(HostPort address, Line.Listener<FromLeader> listener) throws IOException;
}
