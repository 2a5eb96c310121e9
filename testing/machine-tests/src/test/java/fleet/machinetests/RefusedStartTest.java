package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import fleet.testkit.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** fleetd that must not start: clients learn why, and nobody starts it when there are none. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RefusedStartTest {

  private static final String CORRECT_IT = "; correct it, then run: systemctl restart fleet";

  private final OperatingSystem system;
  private FleetMachine fleet;

  RefusedStartTest(OperatingSystem system) {
    this.system = system;
  }

  @BeforeAll
  void boot(Machines machines) {
    fleet = new FleetMachine(machines.boot(system, 1).getFirst()).configureServer().install();
  }

  @AfterEach
  void mend() {
    fleet.dropIn("exec.conf", "").configureServer();
    fleet.machine().succeed("systemctl", "restart", "fleet.service");
    assertThat(fleet.succeed("list-machines", "--no-legend").lines()).hasSize(1);
  }

  @Test
  void eachClientIsToldAtOnceWhatToCorrect() {
    fleet.configureServer("token=FLEET-1-abc");
    restartInVain();

    Result asked = fleetctl("list-machines");

    assertThat(asked.exitCode()).isEqualTo(1);
    assertThat(answers(asked.stderr())).hasSize(1);
    assertThat(asked.stderr())
        .contains("fleetd on this machine cannot start: /etc/fleet/fleet.conf:2: token: ")
        .contains(CORRECT_IT);
    assertThat(fleetctl("start", "x.service").stderr()).contains(CORRECT_IT);
  }

  @Test
  void clientsThatComeTogetherAreAllTold() {
    fleet.configureServer("token=FLEET-1-abc");
    restartInVain();

    String told =
        fleet
            .machine()
            .succeed(
                "sh",
                "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do fleetctl list-machines 2>&1 & done; wait");

    assertThat(answers(told)).hasSize(10).allMatch(line -> line.contains(CORRECT_IT));
    assertStaysDown();
  }

  /** A client that came when fleetd ended already asks again, and says so first. */
  private static Stream<String> answers(String told) {
    return told.lines().filter(line -> !line.contains("trying again"));
  }

  @Test
  void aMachineWithUnitsOfItsOwnKeepsThemAndSaysWhyItDoesNotJoin() {
    fleet.sleeper("mine.service").succeed("start", "mine.service");
    String pid = fleet.pid("mine.service");
    String token = fleet.succeed("token", "create").strip();

    fleet.configureServer("join=192.0.2.1", "token=" + token);
    restartInVain();

    assertThat(fleetctl("list-units").stderr())
        .contains("would stop the units of that (1, in /var/lib/fleet)")
        .contains(CORRECT_IT);
    assertStaysDown();
    assertThat(fleet.pid("mine.service")).isEqualTo(pid);
    mend();
    assertThat(fleet.pid("mine.service")).isEqualTo(pid);
    fleet.succeed("destroy", "mine.service");
  }

  /** Its connection would stay in the queue of the socket, and start fleetd for ever. */
  @Test
  void aClientThatNobodyAnsweredDoesNotStartItAgain() {
    fleet.dropIn("exec.conf", "[Service]\nExecStart=\nExecStart=/bin/sh -c 'sleep 2; exit 2'\n");
    restartInVain();

    Result asked =
        fleet
            .machine()
            .run("curl", "--max-time", "1", "--unix-socket", "/run/fleet.sock", "http://fleet/");

    assertThat(asked.ok()).isFalse();
    fleet.machine().awaitState("fleet.service", "failed");
    assertStaysDown();
  }

  private Result fleetctl(String... command) {
    return fleet.sleeper("x.service").fleetctl(command);
  }

  private void restartInVain() {
    assertThat(fleet.machine().run("systemctl", "restart", "fleet.service").ok()).isFalse();
    assertThat(fleet.machine().property("fleet.service", "ExecMainStatus")).isEqualTo("2");
  }

  private void assertStaysDown() {
    fleet.machine().awaitState("fleet.service", "failed");
    String run = fleet.machine().property("fleet.service", "InvocationID");
    // Longer than a start takes.
    fleet.machine().succeed("sleep", "4");
    assertThat(fleet.machine().property("fleet.service", "InvocationID")).isEqualTo(run);
    assertThat(fleet.machine().property("fleet.service", "ActiveState")).isEqualTo("failed");
    assertThat(fleet.machine().property("fleet.socket", "SubState")).isEqualTo("listening");
  }
}
