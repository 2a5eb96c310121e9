package fleet.machinetests;

import fleet.testkit.FleetCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines speak to the leader through the store. */
@ExtendWith(MachinesExtension.class)
class StoreStormTest extends StormTest {

  private static FleetCluster cluster;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = boot(machines, false);
  }

  StoreStormTest() {
    super(cluster);
  }

  /** Leases end one after the other, and nothing in the store tells of it before. */
  @Override
  int mostKept() {
    return 4;
  }
}
