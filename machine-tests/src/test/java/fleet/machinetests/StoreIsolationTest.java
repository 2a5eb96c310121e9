package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreIsolationTest extends IsolationTest {

  StoreIsolationTest() {
    super(MachineTransport.STORE);
  }
}
