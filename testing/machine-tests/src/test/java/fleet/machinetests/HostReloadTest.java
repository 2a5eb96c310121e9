package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With this machine's own operating system. */
class HostReloadTest extends ReloadTest {

  HostReloadTest() {
    super(OperatingSystem.HOST);
  }
}
