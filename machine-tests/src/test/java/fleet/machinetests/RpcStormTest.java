package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Machines speak to the leader. */
@Order(1)
class RpcStormTest extends StormTest {

  RpcStormTest() {
    super(MachineTransport.RPC);
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
