package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcLostMachineTest extends LostMachineTest {

  RpcLostMachineTest() {
    super(MachineTransport.RPC);
  }
}
