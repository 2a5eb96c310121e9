package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Room on three machines, what is said of places, settings of the cluster, and cordons. */
@ExtendWith(MachinesExtension.class)
class SchedulingTest {

  private static FleetCluster cluster;
  private static FleetMachine first;
  private static FleetMachine second;
  private static FleetMachine third;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster =
        FleetCluster.boot(
            machines, 3, FleetMachine.PATIENT, "machine_memory=1G", "keep_memory=256M");
    first = cluster.machine(1);
    second = cluster.machine(2);
    third = cluster.machine(3);
  }

  @AfterEach
  void asBefore() {
    cluster.destroyAll();
    first.succeed("config", "set", "scheduler.strategy", "least-loaded");
    first.succeed("config", "set", "scheduler.overcommit.memory", "1");
    first.succeed("uncordon", second.machine().id());
  }

  @Test
  void roomIsNotPromisedTwiceAndWhySaysWhatIsMissing() {
    first.sleeper("big@.service", "Memory=500M");
    first.succeed("start", "big@1", "big@2", "big@3");
    assertThat(cluster.spread("big@*")).containsExactly(1, 1, 1);
    first.succeed("start", "--no-block", "big@4");
    awaitWhy(first, "big@4", "waits for a place");

    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("why", "big@4"))
          .contains(
              "big@4.service waits for a place: all 3 machines have no room for 500M of memory",
              "Resources: all 3 machines have no room",
              "Nearest: ",
              "232M of memory more room, or the unit asks for that much less");
      assertThat(one.succeed("why", "--json", "big@4")).contains("\"standing\":\"waits\"");
      assertThat(one.succeed("list-machines", "--no-legend", "--fields=memory"))
          .hasLineCount(3)
          .matches("(500M/768M/1.0G\\s*){3}");
    }
    Result status = second.fleetctl("status", "big@4");
    assertThat(status.toString()).contains("all 3 machines have no room");
    assertThat(second.succeed("top", "--once")).contains("500M");

    first.succeed("destroy", "big@2");
    first.awaitState("big@4.service", "active running");
  }

  @Test
  void aGlobalUnitThatComesLaterTakesNoMoreThanIsLeft() {
    first.sleeper("place.service", "Memory=500M\nMachineMetadata=number=1");
    first.succeed("start", "place.service");
    first.sleeper("everywhere.service", "Global=true\nMemory=500M");
    first.succeed("start", "everywhere.service");

    assertThat(cluster.spread("everywhere.service")).containsExactly(0, 1, 1);
    assertThat(third.succeed("why", "everywhere.service"))
        .contains(
            "1 of 3 machines has no room for 500M of memory",
            first.machine().succeed("hostname").strip() + "\thas no room for 500M of memory");
  }

  @Test
  void aBrokenGlobalUnitFailsTheCommandWithTheReasonOfItsMachines() {
    first.unitFile(
        "broken.service",
        """
        [Service]
        ExecStartPre=/bin/sh -c 'echo no such option; exit 2'
        ExecStart=/bin/sleep infinity
        [X-Fleet]
        Global=true
        """);

    Result started = first.fleetctl("start", "broken.service");

    assertThat(started.exitCode()).isEqualTo(1);
    for (FleetMachine one : cluster.machines()) {
      assertThat(started.stderr())
          .contains("no such option", "unit broken.service failed on", one.machine().address());
    }
  }

  @Test
  void instancesRestartOneAfterTheOtherUntilOneFails() {
    first.unitFile(
        "even@.service",
        """
        [Service]
        ExecStartPre=/bin/sh -c '[ %i != 2 ] || [ ! -e /run/broken ]'
        ExecStart=/bin/sleep infinity
        """);
    String[] restart = {"restart", "even@4", "even@3", "even@2", "even@1"};
    first.succeed("start", "even@1", "even@2", "even@3", "even@4");

    first.succeed(restart);

    assertThat(Stream.of(4, 3, 2, 1).map(SchedulingTest::activeSince)).isSorted();
    Map<String, String> before = cluster.processes("even@1.service");
    cluster.machines().forEach(one -> one.machine().succeed("touch", "/run/broken"));
    Result failed = first.fleetctl(restart);
    cluster.machines().forEach(one -> one.machine().succeed("rm", "/run/broken"));
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.stderr()).contains("Not restarted: even@1.service");
    assertThat(cluster.processes("even@1.service")).isEqualTo(before);
  }

  private static long activeSince(int instance) {
    String unit = "even@" + instance + ".service";
    return cluster.whereRunning(unit).getFirst().activeSince(unit);
  }

  @Test
  void whatIsPlacedSaysWhyThere() {
    first.unitFile(
        "reason.service",
        "[Service]\nExecStart=/bin/sleep infinity\nTasksMax=200\nCPUQuota=10%\nMemoryMax=10%\n");
    first.succeed("start", "reason.service");
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("why", "reason"))
          .contains("least loaded of the machines that fit: no unit on it", "Compared now:");
      assertThat(one.succeed("status", "reason"))
          .contains("fleet: placed here: least loaded of the machines that fit");
    }
  }

  @Test
  void whatIsRequiredAtTheStartHoldsUntilTheUnitIsUnloaded() {
    String[] require = {"--require", "MachineMetadata=number=3", "--require", "Memory=600M"};
    for (FleetMachine one : List.of(first, second)) {
      one.sleeper("asks.service", "Memory=100M");
      one.succeed("start", require[0], require[1], require[2], require[3], "asks.service");
      cluster.awaitRunning("asks.service", third);
    }
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("status", "asks"))
          .contains("fleet: also requires: MachineMetadata=number=3, Memory=600M");
      assertThat(one.succeed("why", "asks"))
          .contains("Additional requirements: MachineMetadata=number=3, Memory=600M");
    }
    Result refused = second.fleetctl("start", "--require", "MachineMetadata=number=2", "asks");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.stderr()).contains("asks.service is launched with other", "unload it first");
    third.succeed("restart", "asks.service");
    cluster.awaitRunning("asks.service", third);
    third.sleeper("big.service", "Memory=500M\nMachineMetadata=number=3");
    third.succeed("start", "--no-block", "big.service");
    awaitWhy(first, "big", "no room for 500M of memory");

    first.succeed("unload", "asks.service");
    assertThat(second.succeed("list-unit-files", "--no-legend", "--fields=unit,require"))
        .contains("asks.service\t-");
    third.awaitState("big.service", "active running");
    first.succeed("start", "--require", "MachineMetadata=number=2", "asks.service");
    cluster.awaitRunning("asks.service", second);
  }

  /** For a unit that another machine has just been told of. */
  private static void awaitWhy(FleetMachine asked, String unit, String expected) {
    asked
        .machine()
        .await(unit + " waits", () -> asked.fleetctl("why", unit).stdout().contains(expected));
  }

  @Test
  void settingsHoldAtOnceEverywhere() {
    second.succeed("config", "set", "scheduler.strategy", "binpack");
    first.sleeper("packed@.service", "Memory=100M");
    first.succeed("start", "packed@1", "packed@2", "packed@3");
    assertThat(cluster.spread("packed@*")).containsExactlyInAnyOrder(3, 0, 0);
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("config", "get", "scheduler.strategy")).isEqualTo("binpack");
    }
    assertThat(first.succeed("events", "--since=1m"))
        .contains("scheduler.strategy=binpack set by user root");
    Result refused = first.fleetctl("config", "set", "scheduler.strategy", "best");
    assertThat(refused.stderr()).contains("one of bid, binpack, least-loaded, random, spread");
    third.sleeper("twice.service", "Memory=700M\nMachineMetadata=number=2");
    third.sleeper("again.service", "Memory=700M\nMachineMetadata=number=2");
    third.succeed("start", "twice.service");
    third.succeed("start", "--no-block", "again.service");
    third.succeed("config", "set", "scheduler.overcommit.memory", "2");
    second.awaitState("again.service", "active running");
  }

  @Test
  void nothingNewComesToACordonedMachineAlsoAfterItWasAway() {
    String id = second.machine().id();
    first.sleeper("stays.service", "MachineMetadata=number=2").succeed("start", "stays.service");
    String name = second.machine().succeed("hostname").strip();
    third.succeed("cordon", name);
    assertThat(first.succeed("list-machines", "--no-legend", "--fields=hostname,state,role"))
        .containsPattern(name + "\\s+cordoned")
        .containsOnlyOnce("leader");
    third.succeed("machines", "label", name, "number=2", "shelf=top", "unknown-");
    assertThat(second.succeed("list-machines", "-o", "json")).contains("\"shelf\":\"top\"");
    third.succeed("machines", "label", name, "shelf-");
    first.sleeper("elsewhere@.service");
    first.succeed("start", "elsewhere@1", "elsewhere@2", "elsewhere@3", "elsewhere@4");
    assertThat(cluster.spread("elsewhere@*")).containsExactly(2, 0, 2);
    assertThat(cluster.whereRunning("stays.service")).containsExactly(second);

    second.machine().succeed("systemctl", "restart", "fleet.service");
    cluster.awaitRunning("stays.service", second);
    assertThat(first.succeed("list-machines")).contains(id.substring(0, 8) + "... is cordoned");
    first.sleeper("waits.service", "MachineMetadata=number=2");
    first.succeed("start", "--no-block", "waits.service");
    awaitWhy(third, "waits", "machine " + name + " is uncordoned");
    first.succeed("uncordon", id);
    first.awaitState("waits.service", "active running");
  }

  @Test
  void unitsGoWhereTheFewestAre() {
    first.sleeper("even@.service").succeed("start", "even@1", "even@2", "even@3");
    assertThat(cluster.spread("even@*")).containsExactly(1, 1, 1);
    first.succeed("start", "even@4", "even@5", "even@6", "even@7", "even@8", "even@9");
    assertThat(cluster.spread("even@*")).containsExactly(3, 3, 3);
  }

  @Test
  void theConfigurationIsReadAgainWhenAskedAndNothingElseChanges() {
    first.sleeper("calm.service", "MachineMetadata=number=1");
    first.sleeper("wants-ssd.service", "MachineMetadata=disk=ssd");
    first.succeed("start", "calm.service");
    first.succeed("start", "--no-block", "wants-ssd.service");
    String fleetd = first.pid("fleet.service");
    Map<String, String> before = cluster.processes("calm.service");

    first
        .set("metadata", "\"number=1,disk=ssd\"")
        .machine()
        .succeed("systemctl", "reload", "fleet");

    cluster.awaitRunning("wants-ssd.service", first);
    assertThat(first.pid("fleet.service")).isEqualTo(fleetd);
    assertThat(cluster.processes("calm.service")).isEqualTo(before);
  }
}
