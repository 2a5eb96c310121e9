package fleet.coordination.rpc;

import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;

/** The contract over TCP. */
class RpcCoordinationTest extends SpokenCoordinationContract {

  RpcCoordinationTest() throws Exception {
    super(_ -> StreamConnector.over(new RpcChannels(new RpcSecurity.PlainText(false))));
  }
}
