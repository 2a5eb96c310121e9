package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13TopTest extends TopTest {

  Debian13TopTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
