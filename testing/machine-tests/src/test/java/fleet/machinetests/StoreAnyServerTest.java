package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreAnyServerTest extends AnyServerTest {

  StoreAnyServerTest() {
    super(MachineTransport.STORE);
  }
}
