package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13AgentRestartTest extends AgentRestartTest {

  Debian13AgentRestartTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
