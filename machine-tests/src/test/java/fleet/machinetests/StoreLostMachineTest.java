package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreLostMachineTest extends LostMachineTest {

  StoreLostMachineTest() {
    super(MachineTransport.STORE);
  }
}
