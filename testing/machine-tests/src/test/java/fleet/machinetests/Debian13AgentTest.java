package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13AgentTest extends AgentOnMachinesTest {

  Debian13AgentTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
