package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Units that three machines bid for, out of what they measure. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BidTest {

  private FleetCluster cluster;
  private FleetMachine first;
  private FleetMachine second;
  private FleetMachine third;

  private final MachineTransport transport;

  BidTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, transport.setting(), FleetMachine.PATIENT);
    first = cluster.machine(1);
    second = cluster.machine(2);
    third = cluster.machine(3);
  }

  @AfterEach
  void asBefore() {
    cluster.heal();
    cluster.destroyAll();
    first.succeed("config", "set", "scheduler.strategy", "least-loaded");
    first.succeed("config", "set", "scheduler.bid.count", "3");
    cluster.machines().forEach(one -> one.machine().run("rm", "-f", "/run/ready").orThrow());
  }

  private static void awaitingFile(FleetMachine machine, String unit) {
    machine.unitFile(
        unit,
        """
        [Unit]
        ConditionPathExists=/run/ready
        [Service]
        ExecStart=/bin/sleep infinity
        [X-Fleet]
        Strategy=bid
        """);
  }

  @Test
  void aUnitGoesWhereItsConditionsHold() {
    third.machine().run("touch", "/run/ready").orThrow();
    awaitingFile(first, "ready.service");
    first.succeed("start", "ready.service");
    cluster.awaitRunning("ready.service", third);
    assertThat(cluster.leader().succeed("why", "ready"))
        .contains(
            "best bid of the machines that fit: ",
            "% of memory",
            "2 of 3 machines decline: ConditionPathExists=/run/ready is not met");
    assertThat(second.succeed("status", "ready"))
        .contains("fleet: placed here: best bid of the machines that fit");
  }

  @Test
  void anOfferStaysOpenUntilAMachineAnswersOtherwise() {
    awaitingFile(first, "later.service");
    first.succeed("start", "--no-block", "later.service");
    cluster.await(
        "all have declined",
        () ->
            second
                .fleetctl("why", "later")
                .stdout()
                .contains("all 3 machines decline: ConditionPathExists=/run/ready is not met"));
    assertThat(cluster.spread("later.service")).containsExactly(0, 0, 0);
    second.machine().run("touch", "/run/ready").orThrow();
    cluster.awaitRunning("later.service", second);
  }

  @Test
  void theNextLeaderGoesOnOffering() {
    awaitingFile(first, "next.service");
    first.succeed("start", "--no-block", "next.service");
    FleetMachine leader = cluster.leader();
    leader.machine().run("systemctl", "kill", "--signal=KILL", "fleet.service").orThrow();
    FleetMachine other = cluster.others(leader).getFirst();
    other.machine().run("touch", "/run/ready").orThrow();
    cluster.awaitRunning("next.service", other);
  }

  @Test
  void whereBidsDecideForTheWholeClusterUnitsAreSpreadAndGoElsewhereWithTheirMachine() {
    first.succeed("config", "set", "scheduler.strategy", "bid");
    first.succeed("config", "set", "scheduler.bid.count", "2");
    first.sleeper("many@.service", "MaxPerMachine=3");
    first.succeed("start", "many@1", "many@2", "many@3", "many@4", "many@5", "many@6");
    assertThat(cluster.spread("many@*").stream().mapToInt(Integer::intValue).sum()).isEqualTo(6);
    FleetMachine drained =
        cluster.machines().stream()
            .filter(one -> cluster.spread("many@*").get(cluster.machines().indexOf(one)) > 0)
            .findFirst()
            .orElseThrow();
    first.succeed("drain", drained.machine().id());
    assertThat(cluster.spread("many@*").get(cluster.machines().indexOf(drained))).isZero();
    first.succeed("uncordon", drained.machine().id());
  }
}
