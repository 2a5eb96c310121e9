package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13JoinedIsolationTest extends JoinedIsolationTest {

  Debian13JoinedIsolationTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
