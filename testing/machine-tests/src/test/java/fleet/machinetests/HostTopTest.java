package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostTopTest extends TopTest {

  HostTopTest() {
    super(OperatingSystem.HOST);
  }
}
