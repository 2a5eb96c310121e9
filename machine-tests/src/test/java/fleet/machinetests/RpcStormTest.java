package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines speak to the leader. */
@ExtendWith(MachinesExtension.class)
class RpcStormTest extends StormTest {

  private static FleetCluster cluster;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = boot(machines, true);
  }

  RpcStormTest() {
    super(cluster);
  }

  /** The leader sees that the second is silent too when the first has gone. */
  @Override
  int mostKept() {
    return 2;
  }

  /** Nobody knows yet whether it is there: the one that did know is gone as well. */
  @Test
  void aNewLeaderSaysWhomItWaitsForAndMovesNothingBefore() {
    FleetMachine leader = started("w");
    FleetMachine lost = cluster.others(leader).getFirst();
    FleetMachine next = cluster.others(leader).getLast();
    lost.losePower();
    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));

    cluster.await(
        "it is awaited",
        () ->
            next.fleetctl("list-machines", "--full")
                .toString()
                .contains("Machine %s is awaited".formatted(lost.machine().id())));
    next.sleeper("meanwhile.service").succeed("start", "meanwhile");
    cluster.awaitRunning("w@*", UNITS, List.of(leader, next));
    assertThat(cluster.runs(cluster.running("w@*").keySet()))
        .hasSize(UNITS)
        .allMatch(unit -> unit.runs().size() <= 2);
  }
}
