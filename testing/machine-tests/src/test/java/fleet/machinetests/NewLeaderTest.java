package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A leader goes together with another machine, and took along who was there. */
@ExtendWith(MachinesExtension.class)
class NewLeaderTest {

  private static final int UNITS = 6;

  @Test
  void saysWhomItWaitsForAndMovesNothingBefore(Machines machines) {
    FleetCluster cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT);
    FleetMachine leader = cluster.leader();
    leader.sleeper("w@.service");
    for (int i = 1; i <= UNITS; i++) {
      leader.succeed("start", "w@" + i);
    }
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
