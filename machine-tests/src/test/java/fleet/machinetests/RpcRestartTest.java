package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcRestartTest extends RestartTest {

  RpcRestartTest() {
    super(MachineTransport.RPC);
  }
}
