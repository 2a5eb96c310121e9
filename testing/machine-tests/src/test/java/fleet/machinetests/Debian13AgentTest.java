package fleet.machinetests;

import fleet.testkit.OperatingSystem;
import org.junit.jupiter.api.Order;

/** With Debian 13. */
@Order(1)
class Debian13AgentTest extends AgentOnMachinesTest {

  Debian13AgentTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
