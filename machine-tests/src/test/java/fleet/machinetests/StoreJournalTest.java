package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader through the store. */
class StoreJournalTest extends JournalTest {

  StoreJournalTest() {
    super(MachineTransport.STORE);
  }
}
