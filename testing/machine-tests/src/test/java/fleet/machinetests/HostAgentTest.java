package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostAgentTest extends AgentOnMachinesTest {

  HostAgentTest() {
    super(OperatingSystem.HOST);
  }
}
