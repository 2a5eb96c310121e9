package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreBidTest extends BidTest {

  StoreBidTest() {
    super(MachineTransport.STORE);
  }
}
