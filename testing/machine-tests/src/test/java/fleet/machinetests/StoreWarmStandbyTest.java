package fleet.machinetests;

import fleet.testkit.MachineTransport;
import org.junit.jupiter.api.Order;

/** Machines speak to the leader through the store. */
@Order(1)
class StoreWarmStandbyTest extends WarmStandbyOnMachinesTest {

  StoreWarmStandbyTest() {
    super(MachineTransport.STORE);
  }
}
