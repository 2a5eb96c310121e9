package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A cluster that is switched from one way of coordination to the other, one machine at a time: some
 * speak to the leader, some through the store, and whoever leads may be of either kind.
 */
@ExtendWith(MachinesExtension.class)
class MixedTransportsTest {

  private static final int UNITS = 6;

  private FleetCluster cluster;
  private Map<String, String> before;

  @BeforeEach
  void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT);
    cluster
        .machine(1)
        .sleeper("a@.service")
        .succeed("start", "a@1", "a@2", "a@3", "a@4", "a@5", "a@6");
    cluster.awaitRunning("a@*", UNITS, cluster.machines());
    before = cluster.processes("a@*");
  }

  @Test
  void oneMachineAfterTheOtherIsSwitchedThereAndBackAndAllAnswerForAll() {
    for (String rpc : List.of("false", "true")) {
      for (FleetMachine one : cluster.machines()) {
        one.set("enable_grpc", rpc).machine().succeed("systemctl", "restart", "fleet.service");
        allIsWell("after " + one + " has enable_grpc=" + rpc);
      }
    }
    cluster.await("nobody is in the store", () -> cluster.keys("machine/").isEmpty());
    allIsWell("in the end");
  }

  @Test
  void whoeverLeadsKnowsAllAndAllAnswer() {
    FleetMachine throughStore = cluster.machine(2);
    throughStore
        .set("enable_grpc", "false")
        .machine()
        .succeed("systemctl", "restart", "fleet.service");
    allIsWell("with one machine that speaks through the store");

    Set<Boolean> led = new HashSet<>();
    // The next leader is chance.
    for (int round = 0; round < 20 && led.size() < 2; round++) {
      FleetMachine leader = cluster.leader();
      led.add(leader.equals(throughStore));
      leader.killFleetd();
      allIsWell("after fleetd of %s was killed, which led".formatted(leader));
    }
    assertThat(led).containsExactlyInAnyOrder(true, false);
  }

  /** Each machine lists all, has all asked, and no process has changed. */
  private void allIsWell(String when) {
    for (FleetMachine one : cluster.machines()) {
      cluster.await(one + " lists all " + when, () -> listsAll(one));
      assertThat(one.succeed("status", "a@1", "a@2", "a@3").split("Main PID", -1)).hasSize(4);
      assertThat(cluster.processes("a@*")).as(when).isEqualTo(before);
    }
    FleetMachine last = cluster.machine(3);
    last.sleeper("new.service").succeed("start", "new.service");
    last.succeed("destroy", "new.service");
    assertThat(cluster.processes("a@*")).as(when).isEqualTo(before);
  }

  private static boolean listsAll(FleetMachine one) {
    Result machines = one.fleetctl("list-machines", "--no-legend");
    Result units = one.fleetctl("list-units", "--no-legend");
    return machines.ok()
        && machines.stdout().lines().count() == 3
        && units.ok()
        && units.stdout().lines().filter(line -> line.contains("running")).count() == UNITS;
  }
}
