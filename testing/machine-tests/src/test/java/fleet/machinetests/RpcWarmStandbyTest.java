package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcWarmStandbyTest extends WarmStandbyOnMachinesTest {

  RpcWarmStandbyTest() {
    super(MachineTransport.RPC);
  }
}
