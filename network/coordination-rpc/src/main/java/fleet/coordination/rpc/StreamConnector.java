package fleet.coordination.rpc;

import fleet.core.machine.HostPort;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.io.IOException;

/** Opens streams to leaders; may wait for names to be looked up. Safe for use by many threads. */
@FunctionalInterface
public interface StreamConnector {

  /** Over gRPC. */
  static StreamConnector over(RpcChannels channels) {
    return (address, listener) -> GrpcStreams.dial(channels, address, listener);
  }

  /**
   * Connects some time.
   *
   * @throws IOException with a message for the operator, if that must not be
   */
  MessageStream<FromAgent> dial(HostPort address, MessageStream.Listener<FromLeader> listener)
      throws IOException;
}
