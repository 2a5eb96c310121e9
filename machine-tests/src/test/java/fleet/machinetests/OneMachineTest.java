package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One machine with fleet alone: each test uses units of its own. */
@ExtendWith(MachinesExtension.class)
class OneMachineTest {

  private static FleetMachine fleet;

  @BeforeAll
  static void installFleet(Machines machines) {
    fleet = new FleetMachine(machines.boot()).install();
  }

  @Test
  void theMachineIsListed() {
    assertThat(fleet.succeed("list-machines", "--full", "--no-legend"))
        .startsWith(fleet.machine().id())
        .contains(fleet.machine().address());
  }

  @Test
  void aStartedUnitRunsAndIsReported() {
    fleet.sleeper("started.service");

    fleet.succeed("start", "started.service");

    assertThat(fleet.machine().property("started.service", "ActiveState")).isEqualTo("active");
    fleet.awaitState("started.service", "active running");
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

  @Test
  void stoppingAndStartingTheServiceLeavesUnitsAlone() {
    fleet.sleeper("calm.service").succeed("start", "calm.service");
    String pid = fleet.pid("calm.service");

    fleet.machine().succeed("systemctl", "stop", "fleet.service");
    assertThat(fleet.pid("calm.service")).isEqualTo(pid);
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

  @Test
  void aFailedUnitIsSaidToHaveFailedWithItsLastLines() {
    fleet.unitFile(
        "broken.service",
        "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo the disk is on fire; exit 7'\n");

    var result = fleet.fleetctl("start", "broken.service");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.stderr()).contains("exit-code").contains("the disk is on fire");
  }

  @Test
  void aNameThatSystemdKnowsFromElsewhereIsRefusedWithItsPath() {
    String path = "/etc/systemd/system/foreign.service";
    fleet.machine().write(path, "[Service]\nExecStart=/bin/sleep 1000\n");
    fleet.machine().succeed("systemctl", "daemon-reload");
    fleet.machine().succeed("systemctl", "start", "foreign.service");
    String pid = fleet.pid("foreign.service");
    fleet.sleeper("foreign.service");

    var result = fleet.fleetctl("start", "foreign.service");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.stderr()).contains(path);
    fleet.fleetctl("destroy", "foreign.service");
    assertThat(fleet.pid("foreign.service")).isEqualTo(pid);
  }

  @Test
  void aDestroyedUnitLeavesNothing() {
    fleet.sleeper("gone.service").succeed("start", "gone.service");

    fleet.succeed("destroy", "gone.service");

    assertThat(fleet.machine().property("gone.service", "LoadState")).isEqualTo("not-found");
    assertThat(fleet.succeed("list-unit-files", "--no-legend")).doesNotContain("gone.service");
  }

  @Test
  void aSocketStartsItsService() {
    fleet.unitFile("called.socket", "[Socket]\nListenFIFO=/run/called\n");
    fleet.unitFile("called.service", "[Service]\nExecStart=/bin/cat\nStandardInput=socket\n");
    fleet.succeed("load", "called.service");
    fleet.succeed("start", "called.socket");
    assertThat(fleet.machine().property("called.service", "ActiveState")).isEqualTo("inactive");

    fleet.machine().succeed("sh", "-c", "echo hello >/run/called");

    fleet.awaitState("called.service", "active running");
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

  @Test
  void theApiSocketIsNotForEverybody() {
    String stat = fleet.machine().succeed("stat", "-L", "-c", "%a %U", "/run/fleet.sock");
    assertThat(stat).isEqualTo("660 root");
    var result =
        fleet
            .machine()
            .run(
                "setpriv",
                "--reuid=nobody",
                "--regid=nogroup",
                "--clear-groups",
                "fleetctl",
                "list-machines");
    assertThat(result.ok()).isFalse();
    assertThat(result.stderr().lines()).hasSize(1);
  }
}
