package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13RefusedStartTest extends RefusedStartTest {

  Debian13RefusedStartTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
