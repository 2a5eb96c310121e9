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

/** The units of one of three machines go to the others, and never run twice. */
@ExtendWith(MachinesExtension.class)
class DrainOnMachinesTest {

  private static FleetCluster cluster;
  private static FleetMachine first;
  private static FleetMachine second;
  private static FleetMachine third;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT, "machine_memory=1G");
    first = cluster.machine(1);
    second = cluster.machine(2);
    third = cluster.machine(3);
  }

  @AfterEach
  void asBefore() {
    cluster.destroyAll();
    first.succeed("uncordon", second.machine().id());
  }

  @Test
  void aMachineIsEmptiedOneInstanceAfterTheOther() {
    String ready = "/bin/sh -c 'sleep 1; systemd-notify --ready; exec sleep infinity'";
    first.unitFile(
        "web@.service",
        "[Service]\nType=notify\nNotifyAccess=all\nExecStart="
            + ready
            + "\n[X-Fleet]\n"
            + "MachineMetadata=number=2\nMachineMetadata=number=3\n");
    first.sleeper("lone.service", "MachineMetadata=number=2\nMachineMetadata=number=1");
    first.sleeper("bound.service", "MachineMetadata=number=2");
    first.succeed("cordon", first.machine().id(), third.machine().id());
    first.succeed("start", "web@1", "web@2", "lone", "bound");
    first.succeed("uncordon", first.machine().id(), third.machine().id());
    assertThat(cluster.spread("web@*")).containsExactly(0, 2, 0);

    String before = first.get("/state");
    for (FleetMachine one : cluster.machines()) {
      Result planned = one.fleetctl("plan", "drain", second.machine().id());
      assertThat(planned.exitCode()).isEqualTo(3);
      assertThat(planned.stdout())
          .contains("Unit web@1.service would move from", "Unit web@2.service would move from")
          .contains("Unit lone.service would move from", "Unit bound.service would stay on");
      Result lost = one.fleetctl("plan", "lose-machine", second.machine().id());
      assertThat(lost.exitCode()).isEqualTo(3);
      assertThat(lost.stdout()).contains("Unit bound.service would find no place");
      assertThat(one.fleetctl("plan", "start", "lone").toString())
          .contains("Nothing would change.");
    }
    assertThat(first.get("/state")).isEqualTo(before);

    Result drained = third.fleetctl("drain", second.machine().id());

    assertThat(drained.exitCode()).isEqualTo(1);
    List<String> steps =
        drained.stdout().lines().filter(line -> line.startsWith("Unit web@")).toList();
    assertThat(steps).hasSize(4);
    assertThat(steps.get(0)).matches(stoppedOn(second));
    assertThat(steps.get(1)).contains("launched on", third.machine().address());
    assertThat(steps.get(2)).matches(stoppedOn(second));
    assertThat(steps.get(3)).contains("launched on", third.machine().address());
    assertThat(drained.stdout()).contains("Unit lone.service launched on");
    assertThat(drained.stderr())
        .contains("Unit bound.service stays: ", "lack number=2", "1 unit stays");
    assertThat(cluster.spread("web@*")).containsExactly(0, 0, 2);
    assertThat(cluster.spread("lone.service")).containsExactly(1, 0, 0);
    assertThat(cluster.spread("bound.service")).containsExactly(0, 1, 0);
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("list-machines"))
          .containsPattern("is being drained, as " + FleetCluster.ROOT + " asked");
    }
    assertThat(first.succeed("operations")).contains("drain-", "lack number=2");
    assertThat(first.succeed("operations", "show", "drain"))
        .containsPattern("stays +bound.service from .*lack number=2");
    assertThat(first.succeed("events", "--since=5m"))
        .containsPattern(
            "drain of machine .* began: at most 1 down at a time, as " + FleetCluster.ROOT)
        .containsPattern("is drained, as " + FleetCluster.ROOT + " asked");

    first.succeed("unload", "bound");
    assertThat(second.succeed("drain", second.machine().id()))
        .contains("is already being drained.", "is drained.");
    assertThat(second.succeed("operations", "cancel", "drain")).contains("is cancelled");
    assertThat(first.succeed("operations")).isEqualTo("No operation is under way.");
  }

  /** Or was stopping, if that took less time than one poll. */
  private static String stoppedOn(FleetMachine machine) {
    return "Unit web@[12][.]service (is being|was) stopped on .*/"
        + machine.machine().address()
        + ".*";
  }

  @Test
  void aDrainGoesOnUnderTheNextLeader() {
    first.unitFile(
        "slow@.service",
        """
        [Service]
        ExecStart=/bin/sleep infinity
        ExecStop=/bin/sleep 2
        [X-Fleet]
        MachineMetadata=number=2
        MachineMetadata=number=3
        """);
    first.succeed("cordon", third.machine().id());
    first.succeed("start", "slow@1", "slow@2", "slow@3");
    first.succeed("uncordon", third.machine().id());
    first.succeed("drain", "--no-block", second.machine().id());
    cluster.leader().killFleetd();
    cluster.await("all have left", () -> cluster.spread("slow@*").equals(List.of(0, 0, 3)));
    assertThat(first.succeed("drain", second.machine().id()))
        .contains("is already being drained.", "is drained.");
  }
}
