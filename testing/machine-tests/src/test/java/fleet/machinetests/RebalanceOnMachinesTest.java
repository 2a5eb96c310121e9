package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A third machine gets its share of the units of two, and none of them runs twice. */
@ExtendWith(MachinesExtension.class)
class RebalanceOnMachinesTest {

  private static final String STOPS_WHEN_ALLOWED =
      "ExecStop=/bin/sh -c 'until [ -e /run/may-stop ]; do sleep 0.1; done'\n";

  private static FleetCluster cluster;
  private static FleetMachine first;
  private static FleetMachine third;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT);
    first = cluster.machine(1);
    third = cluster.machine(3);
  }

  @AfterEach
  void asBefore() {
    allowStops();
    cluster.destroyAll();
    cluster.machines().forEach(one -> one.machine().succeed("rm", "/run/may-stop"));
    first.succeed("uncordon", third.machine().id());
  }

  private static void allowStops() {
    cluster.machines().forEach(one -> one.machine().succeed("touch", "/run/may-stop"));
  }

  /** Six units on two machines, and a third to which some may come. */
  private static List<String> sixOnTwo(String template, String text) {
    first.unitFile(template + "@.service", "[Service]\nExecStart=/bin/sleep infinity\n" + text);
    first.succeed("cordon", third.machine().id());
    String one = template + "@";
    first.succeed("start", one + 1, one + 2, one + 3, one + 4, one + 5, one + 6);
    assertThat(cluster.spread(one + "*")).containsExactly(3, 3, 0);
    first.succeed("uncordon", third.machine().id());
    return List.of(
        one + "1.service",
        one + "2.service",
        one + "3.service",
        one + "4.service",
        one + "5.service",
        one + "6.service");
  }

  @Test
  void theFewestMoveOneOfAFamilyAfterTheOther() {
    List<String> units = sixOnTwo("even", "");
    String before = first.get("/state");
    for (FleetMachine one : cluster.machines()) {
      Result planned = one.fleetctl("rebalance", "--plan");
      assertThat(planned.exitCode()).isEqualTo(3);
      assertThat(planned.stdout())
          .contains(": leaves 3 units for 0\n", ": leaves 3 units for 1\n")
          .endsWith("Machines have 0 to 3 units each, and would have 2 units each.");
      assertThat(planned.stdout().lines()).hasSize(3);
      assertThat(one.fleetctl("plan", "rebalance", "--within=3").exitCode()).isZero();
    }
    assertThat(first.get("/state")).isEqualTo(before);

    Result done = third.fleetctl("rebalance");

    assertThat(done.exitCode()).as(done.toString()).isZero();
    List<String> steps = done.stdout().lines().toList();
    assertThat(steps).hasSize(8);
    assertThat(steps.subList(0, 2)).allMatch(step -> step.contains(" will move from "));
    assertThat(steps.get(2)).isEqualTo("2 units will move.");
    assertThat(steps.get(3)).matches("Unit even@.[.]service (is being|was) stopped on .*");
    assertThat(steps.get(4)).contains("launched on", third.machine().address());
    assertThat(steps.get(5)).matches("Unit even@.[.]service (is being|was) stopped on .*");
    assertThat(steps.get(6)).contains("launched on", third.machine().address());
    assertThat(steps.get(7)).isEqualTo("The rebalance is over: machines have 2 units each.");
    assertThat(cluster.spread("even@*")).containsExactly(2, 2, 2);
    assertThat(cluster.runs(units)).allMatch(runs -> runs.overlaps().isEmpty());
    assertThat(cluster.runs(units).stream().mapToInt(runs -> runs.runs().size()).sum())
        .isEqualTo(8);
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("rebalance")).isEqualTo("Nothing moves: machines have 2 units each.");
    }
    String moved = third.active("even@*").iterator().next();
    assertThat(first.succeed("why", moved))
        .containsPattern("rebalance, as " + FleetCluster.ROOT + " asked");
    assertThat(first.succeed("events", "--since=5m"))
        .containsPattern("rebalance began: 2 moves, within 1.*, as " + FleetCluster.ROOT + " asked")
        .contains("rebalance ended: moves made: 2 of 2");
  }

  @Test
  void aRebalanceGoesOnUnderTheNextLeader() {
    List<String> units = sixOnTwo("slow", STOPS_WHEN_ALLOWED);
    assertThat(first.succeed("rebalance", "--no-block")).contains("2 units will move");
    FleetMachine old = cluster.leader();
    old.killFleetd();
    allowStops();
    cluster.await("it is even", () -> cluster.spread("slow@*").equals(List.of(2, 2, 2)));
    cluster.await(
        "it has ended", () -> cluster.stored("operation/rebalance").contains("\"stage\":\"done\""));
    assertThat(cluster.runs(units)).allMatch(runs -> runs.overlaps().isEmpty());
  }

  @Test
  void oneThatIsStoppedMovesNoMore() {
    List<String> units = sixOnTwo("slow", STOPS_WHEN_ALLOWED);
    first.succeed("rebalance", "--no-block");
    Result other = third.fleetctl("rebalance", "--moves=1");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.stderr())
        .containsPattern("a rebalance that " + FleetCluster.ROOT + " asked for is under way");
    assertThat(third.succeed("rebalance", "--stop")).contains("The rebalance is stopped");
    allowStops();
    cluster.await(
        "it has ended",
        () -> cluster.stored("operation/rebalance").contains("\"stage\":\"cancelled\""));
    cluster.awaitRunning("slow@*", 6, cluster.machines());
    assertThat(cluster.spread("slow@*").get(2)).isLessThan(2);
    assertThat(cluster.runs(units)).allMatch(runs -> runs.overlaps().isEmpty());
  }
}
