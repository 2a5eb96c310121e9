package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.OperatingSystem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** fleetd on one machine is killed, stopped and started: its units do not notice. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AgentRestartTest {

  private final OperatingSystem system;
  private FleetMachine fleet;

  AgentRestartTest(OperatingSystem system) {
    this.system = system;
  }

  @BeforeAll
  void installFleet(Machines machines) {
    fleet = new FleetMachine(machines.boot(system, 1).getFirst()).install();
  }

  final FleetMachine fleet() {
    return fleet;
  }

  @Test
  void aKilledFleetdComesBackAndFindsItsUnitsRunning() {
    fleet.sleeper("kept.service").sleeper("kept@.service");
    String[] units = {"kept.service", "kept@1.service", "kept@2.service"};
    fleet.succeed("start", units[0], units[1], units[2]);
    Map<String, String> before = fleet.pids(units);

    fleet.killFleetd();

    assertThat(fleet.succeed("list-units", "--no-legend")).contains(units);
    assertThat(fleet.pids(units)).isEqualTo(before).doesNotContainValue("0");
    fleet.sleeper("after.service").succeed("start", "after.service");
    assertThat(fleet.pids(units)).isEqualTo(before);
  }

  /** With its socket, in every phase of a restart. */
  @Test
  void aFleetdThatIsKilledAsItStartsAgainAndAgainComesBack() {
    for (int hundredths = 5; hundredths < 60; hundredths += 3) {
      fleet
          .machine()
          .succeed(
              "sh",
              "-c",
              "systemctl restart --no-block fleet.service; sleep 0.%02d; systemctl kill -s KILL fleet"
                  .formatted(hundredths));
    }
    fleet.machine().awaitState("fleet.service", "active");
    assertThat(fleet.succeed("list-machines", "--no-legend").lines()).hasSize(1);
  }

  /** systemd holds the socket meanwhile; a request that may have been done is not done again. */
  @Test
  void whileFleetdRestartsEachRequestIsDoneOnce() {
    fleet.unitFile(
        "asked.service",
        """
        [Unit]
        StartLimitIntervalSec=0
        [Service]
        ExecStart=/bin/sleep infinity
        """);
    fleet.succeed("start", "asked.service");

    int restarts = 0;
    var ends =
        BackgroundTasks.the(() -> {
          for (int i = 0; i < 5; i++) {
            fleet.machine().succeed("systemctl", "restart", "fleet.service");
          }
          return true;
        });
    while (!ends.isDone()) {
      fleet.succeed("restart", "asked.service");
      restarts++;
    }

    assertThat(ends.join()).isTrue();
    fleet.machine().syncJournal();
    assertThat(fleet.machine().succeed("journalctl", "-u", "asked.service", "-o", "cat").lines())
        .filteredOn(line -> line.startsWith("Started "))
        .hasSize(1 + restarts);
  }

  @Test
  void stoppingAndStartingTheServiceLeavesUnitsAlone() {
    fleet.sleeper("calm.service").succeed("start", "calm.service");
    String pid = fleet.pid("calm.service");

    fleet.machine().succeed("systemctl", "stop", "fleet.service");
    assertThat(fleet.pid("calm.service")).isEqualTo(pid);
    // Else the next client would have systemd start fleetd again.
    assertThat(fleet.machine().property("fleet.socket", "ActiveState")).isEqualTo("inactive");
    fleet.machine().succeed("systemctl", "start", "fleet.service");

    fleet.awaitState("calm.service", "active running");
    assertThat(fleet.pid("calm.service")).isEqualTo(pid);
  }

  @Test
  void aUnitStoppedWithSystemctlIsReportedAndLeftAlone() {
    fleet.sleeper("rested.service").succeed("start", "rested.service");

    fleet.machine().succeed("systemctl", "stop", "rested.service");

    fleet.awaitState("rested.service", "inactive dead");
    fleet.killFleetd();
    fleet.awaitState("rested.service", "inactive dead");
    assertThat(fleet.pid("rested.service")).isEqualTo("0");
  }

  @Test
  void aOneshotRunsOnceNotOncePerFleetd() {
    fleet.unitFile(
        "migrate.service",
        "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo ran >>/root/migrations'\n");

    fleet.succeed("start", "migrate.service");
    fleet.killFleetd();
    fleet.sleeper("next.service").succeed("start", "next.service");

    assertThat(fleet.machine().read("/root/migrations")).isEqualTo("ran");
  }

  /** Most of the restarts wait for their turn when fleetd ends: killed, or as in an upgrade. */
  @ParameterizedTest
  @ValueSource(strings = {"kill --signal=KILL fleet.service", "restart fleet.service"})
  void everyRestartThatWasAskedForIsMadeOnceThoughFleetdEndsInBetween(String end) {
    String template = end.startsWith("kill") ? "cut@" : "new@";
    String[] start = instances("start", template, 200);
    fleet.sleeper(template + ".service").succeed(start);
    fleet.succeed(instances("restart --no-block", template, 200));
    fleet.machine().succeed(("systemctl " + end).split(" ", -1));

    fleet.machine().awaitState("fleet.service", "active");
    var machines = new Members(List.of(fleet));
    machines.await(
        "each runs for the second time",
        () -> {
          Set<String> running = machines.running(template + "*").keySet();
          return running.size() == 200
              && machines.runs(running).stream().allMatch(unit -> unit.runs().size() == 2);
        });
    fleet.succeed(instances("destroy --yes", template, 200));
  }

  private static String[] instances(String command, String template, int count) {
    return Stream.concat(
            Stream.of(command.split(" ", -1)),
            IntStream.rangeClosed(1, count).mapToObj(i -> template + i))
        .toArray(String[]::new);
  }

  @Test
  void theGroupFleetMayUseTheApiSocket() {
    fleet.machine().succeed("groupadd", "--system", "fleet");
    fleet.machine().succeed("systemctl", "restart", "fleet.service");
    try {
      assertThat(fleet.machine().succeed("stat", "-L", "-c", "%a %U %G", "/run/fleet.sock"))
          .isEqualTo("660 root fleet");
      fleet
          .machine()
          .succeed(
              "setpriv",
              "--reuid=nobody",
              "--regid=nogroup",
              "--groups=fleet",
              "fleetctl",
              "list-machines");
    } finally {
      fleet.machine().succeed("groupdel", "fleet");
      fleet.machine().succeed("systemctl", "restart", "fleet.service");
    }
  }
}
