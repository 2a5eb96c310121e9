package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreLeaderTest extends LeaderTest {

  StoreLeaderTest() {
    super(MachineTransport.STORE);
  }
}
