package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostDevUpTest extends DevUpTest {

  HostDevUpTest() {
    super(OperatingSystem.HOST);
  }
}
