package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcIsolationTest extends IsolationTest {

  RpcIsolationTest() {
    super(MachineTransport.RPC);
  }
}
