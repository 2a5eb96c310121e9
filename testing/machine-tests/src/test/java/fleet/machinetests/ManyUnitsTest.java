package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** As many units on one machine as its budgets speak of, and a fleetd that comes and goes. */
@ExtendWith(MachinesExtension.class)
class ManyUnitsTest {

  private static final int COUNT = 300;
  private static final String[] UNITS =
      IntStream.range(0, COUNT).mapToObj(i -> "many" + i + ".service").toArray(String[]::new);

  private static FleetMachine fleet;

  @BeforeAll
  static void startMany(Machines machines) {
    fleet = new FleetMachine(machines.boot());
    // Short, so that each fleetd here lives longer than the time after which the silent are lost.
    fleet.machine().write("/etc/fleet/fleet.conf", "agent_ttl=2s\n");
    fleet.install();
    fleet
        .machine()
        .succeed(
            "sh",
            "-c",
            "cd /root && for i in $(seq 0 %d); do".formatted(COUNT - 1)
                + " printf '[Service]\\nExecStart=/bin/sleep infinity\\n' >many$i.service; done");
    String[] start = new String[COUNT + 1];
    start[0] = "start";
    System.arraycopy(UNITS, 0, start, 1, COUNT);
    assertThat(fleet.succeed(start)).contains("Unit many299.service launched");
  }

  @Test
  void whateverHappensToFleetdNoProcessChanges() {
    Members machines = new Members(List.of(fleet));
    Map<String, String> before = machines.processes("many*");
    assertThat(before).hasSize(COUNT);

    for (int round = 0; round < 2; round++) {
      fleet.killFleetd();
      assertThat(machines.processes("many*")).isEqualTo(before);
      awaitLongerThanTheGrace();
      fleet.machine().succeed("systemctl", "restart", "fleet.service");
      assertThat(machines.processes("many*")).isEqualTo(before);
      awaitLongerThanTheGrace();
    }

    assertThat(fleet.succeed("list-units", "--no-legend").lines()).hasSize(COUNT);
    assertThat(fleet.succeed("list-unit-files", "--no-legend").lines())
        .hasSize(COUNT)
        .allMatch(line -> line.contains("launched"));
    assertThat(logLines("fleet.service", "has left machine")).isZero();
    assertThat(logLines("many*", "Started many")).isEqualTo(COUNT);
  }

  /** A unit that comes and goes takes longer than the time after which the silent are lost. */
  private static void awaitLongerThanTheGrace() {
    fleet.unitFile("pause.service", "[Service]\nType=oneshot\nExecStart=/bin/sleep 3\n");
    fleet.succeed("start", "pause.service");
    fleet.succeed("destroy", "pause.service");
  }

  private static long logLines(String unit, String text) {
    String log = fleet.machine().succeed("journalctl", "-u", unit, "--no-pager", "-o", "cat");
    return log.lines()
        .filter(line -> line.contains(text))
        .filter(line -> !line.contains("pause"))
        .count();
  }
}
