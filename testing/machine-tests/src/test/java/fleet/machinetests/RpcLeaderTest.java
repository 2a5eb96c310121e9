package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcLeaderTest extends LeaderTest {

  RpcLeaderTest() {
    super(MachineTransport.RPC);
  }
}
