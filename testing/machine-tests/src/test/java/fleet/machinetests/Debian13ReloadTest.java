package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13ReloadTest extends ReloadTest {

  Debian13ReloadTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
