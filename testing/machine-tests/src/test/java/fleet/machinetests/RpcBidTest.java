package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcBidTest extends BidTest {

  RpcBidTest() {
    super(MachineTransport.RPC);
  }
}
