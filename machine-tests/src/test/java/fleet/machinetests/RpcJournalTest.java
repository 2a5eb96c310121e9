package fleet.machinetests;

import fleet.testkit.MachineTransport;

/** Machines speak to the leader. */
class RpcJournalTest extends JournalTest {

  RpcJournalTest() {
    super(MachineTransport.RPC);
  }
}
