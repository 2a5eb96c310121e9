package fleet.machinetests;

import fleet.testkit.MachineTransport;
import org.junit.jupiter.api.Order;

/** Machines speak to the leader. */
@Order(1)
class RpcStormTest extends StormOnMachinesTest {

  RpcStormTest() {
    super(MachineTransport.RPC);
  }

  /** The leader sees that the second is silent too when the first has gone. */
  @Override
  int mostKept() {
    return 2;
  }
}
