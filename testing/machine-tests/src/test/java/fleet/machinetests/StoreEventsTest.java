package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreEventsTest extends EventsTest {

  StoreEventsTest() {
    super(MachineTransport.STORE);
  }
}
