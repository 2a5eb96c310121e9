package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostJoinedIsolationTest extends JoinedIsolationTest {

  HostJoinedIsolationTest() {
    super(OperatingSystem.HOST);
  }
}
