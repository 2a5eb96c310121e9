package fleet.machinetests;

import fleet.testkit.MachineTransport;
import org.junit.jupiter.api.Order;

/** Machines speak to the leader through the store. */
@Order(1)
class StoreStormTest extends StormOnMachinesTest {

  StoreStormTest() {
    super(MachineTransport.STORE);
  }

  /** Leases end one after the other, and nothing in the store tells of it before. */
  @Override
  int mostKept() {
    return 4;
  }
}
