package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreRestartTest extends RestartTest {

  StoreRestartTest() {
    super(MachineTransport.STORE);
  }
}
