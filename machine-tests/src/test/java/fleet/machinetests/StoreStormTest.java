package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreStormTest extends StormTest {

  StoreStormTest() {
    super(MachineTransport.STORE);
  }

  /** Leases end one after the other, and nothing in the store tells of it before. */
  @Override
  int mostKept() {
    return 4;
  }
}
