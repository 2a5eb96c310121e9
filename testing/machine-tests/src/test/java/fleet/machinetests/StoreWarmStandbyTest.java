package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreWarmStandbyTest extends WarmStandbyOnMachinesTest {

  StoreWarmStandbyTest() {
    super(MachineTransport.STORE);
  }
}
