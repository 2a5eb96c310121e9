package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** If there are many units, one machine keeps itself ready to lead, and does. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WarmStandbyOnMachinesTest {

  private FleetCluster cluster;

  private final MachineTransport transport;

  WarmStandbyOnMachinesTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster =
        FleetCluster.boot(
            machines, 3, transport.setting(), FleetMachine.PATIENT, "standby_units=4");
  }

  @AfterEach
  void asBefore() {
    cluster.heal();
    cluster.destroyAll();
  }

  @Test
  void theWarmStandbyLeadsNextAndNoUnitNotices() {
    FleetMachine first = cluster.machine(1);
    first.sleeper("many@.service").sleeper("new.service").sleeper("newer.service");
    first.succeed("start", "many@1", "many@2", "many@3", "many@4");
    Map<String, String> before = cluster.processes("many@*");
    FleetMachine leader = cluster.leader();
    FleetMachine ready = awaitStandby();
    assertThat(ready).isNotEqualTo(leader);

    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));

    assertThat(cluster.awaitLeaderBut(leader)).isEqualTo(ready);
    first.succeed("start", "new.service");
    cluster.awaitMembers();
    assertThat(cluster.processes("many@*")).isEqualTo(before);

    FleetMachine next = awaitStandby();
    assertThat(next).isNotEqualTo(ready);
    int onLost = ready.active("many@*").size();
    ready.losePower();
    assertThat(cluster.awaitLeaderBut(ready)).isEqualTo(next);
    cluster.awaitRunning("many@*", 4, cluster.others(ready));
    next.sleeper("newer.service").succeed("start", "newer.service");
    Map<String, String> untouched = new HashMap<>(before);
    untouched.entrySet().retainAll(cluster.processes("many@*").entrySet());
    assertThat(untouched).hasSize(4 - onLost);
  }

  @Test
  void nobodyIsKeptReadyWhereThereAreFewUnits() {
    FleetMachine first = cluster.machine(1);
    first.sleeper("few@.service").succeed("start", "few@1", "few@2", "few@3", "few@4");
    FleetMachine ready = awaitStandby();
    first.succeed("destroy", "few@1", "few@2", "few@3");
    cluster.await("the seat is gone", () -> cluster.keys("standby").isEmpty());
    cluster.await(
        "it says so", () -> ready.log().contains("this machine is the warm standby no more"));
  }

  private FleetMachine awaitStandby() {
    cluster.await("a machine keeps itself ready", () -> standby().isPresent());
    return standby().orElseThrow();
  }

  /** The machine that has the seat, and does not lead. */
  private Optional<FleetMachine> standby() {
    String seat = cluster.stored("standby");
    Optional<FleetMachine> leader = cluster.leaderNow();
    return cluster.machines().stream()
        .filter(one -> seat.contains(one.machine().id()))
        .filter(one -> leader.isPresent() && !one.equals(leader.get()))
        .findFirst();
  }
}
