package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostRefusedStartTest extends RefusedStartTest {

  HostRefusedStartTest() {
    super(OperatingSystem.HOST);
  }
}
