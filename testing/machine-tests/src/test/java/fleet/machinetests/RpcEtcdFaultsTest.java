package fleet.machinetests;

import fleet.testkit.MachineTransport;
import org.junit.jupiter.api.Order;

/** Machines speak to the leader. */
@Order(1)
class RpcEtcdFaultsTest extends EtcdFaultsTest {

  RpcEtcdFaultsTest() {
    super(MachineTransport.RPC);
  }
}
