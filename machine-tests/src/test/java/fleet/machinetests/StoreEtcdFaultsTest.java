package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreEtcdFaultsTest extends EtcdFaultsTest {

  StoreEtcdFaultsTest() {
    super(MachineTransport.STORE);
  }
}
