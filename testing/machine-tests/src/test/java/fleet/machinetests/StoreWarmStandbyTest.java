package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreWarmStandbyTest extends WarmStandbyTest {

  StoreWarmStandbyTest() {
    super(MachineTransport.STORE);
  }
}
