package fleet.machinetests;

import fleet.testkit.OperatingSystem;
import org.junit.jupiter.api.Order;

/** With this machine's own operating system. */
@Order(1)
class HostAgentTest extends AgentOnMachinesTest {

  HostAgentTest() {
    super(OperatingSystem.HOST);
  }
}
