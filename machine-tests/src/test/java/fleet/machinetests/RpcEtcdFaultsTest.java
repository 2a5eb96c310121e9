package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcEtcdFaultsTest extends EtcdFaultsTest {

  RpcEtcdFaultsTest() {
    super(MachineTransport.RPC);
  }
}
