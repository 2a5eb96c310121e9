package fleet.machinetests;

import fleet.testkit.OperatingSystem;

/** With Debian 13. */
class Debian13DevUpTest extends DevUpTest {

  Debian13DevUpTest() {
    super(OperatingSystem.DEBIAN_13);
  }
}
