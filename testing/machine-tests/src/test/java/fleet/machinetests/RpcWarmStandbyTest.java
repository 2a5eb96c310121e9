package fleet.machinetests;

import fleet.testkit.MachineTransport;
import org.junit.jupiter.api.Order;

/** Machines speak to the leader. */
@Order(1)
class RpcWarmStandbyTest extends WarmStandbyOnMachinesTest {

  RpcWarmStandbyTest() {
    super(MachineTransport.RPC);
  }
}
