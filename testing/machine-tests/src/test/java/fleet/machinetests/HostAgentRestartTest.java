package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostAgentRestartTest extends AgentRestartTest {

  HostAgentRestartTest() {
    super(OperatingSystem.HOST);
  }
}
