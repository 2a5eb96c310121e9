package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The resources that machines and units use, by a real kernel's accounts. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TopTest {

  private final OperatingSystem system;
  private FleetMachine fleet;

  TopTest(OperatingSystem system) {
    this.system = system;
  }

  @BeforeAll
  void installFleet(Machines machines) {
    fleet = new FleetMachine(machines.boot(system, 1).getFirst()).install();
  }

  private static List<String> cells(String line) {
    return List.of(line.split("\t+"));
  }

  @Test
  void unitsShowWhatTheyUseAndReserve() {
    fleet
        .unitFile(
            "busy.service",
            """
            [Service]
            ExecStart=/bin/sh -c 'while :; do :; done'
            MemoryMax=64M
            CPUQuota=50%
            """)
        .unitFile(
            "large.service",
            "[Service]\nExecStart=/bin/sh -c 'x=$(head -c 50000000 /dev/zero | tr \"\\\\0\" x);"
                + " echo filled; sleep infinity'\n");
    fleet.succeed("start", "busy.service", "large.service");
    fleet
        .machine()
        .await(
            "the large one is large",
            () -> fleet.succeed("journal", "large.service").contains("filled"));

    List<List<String>> units =
        fleet.succeed("top", "--units", "--no-legend").lines().map(TopTest::cells).toList();

    assertThat(units).hasSize(2);
    List<String> busy = units.getFirst();
    assertThat(busy.getFirst()).isEqualTo("busy.service");
    assertThat(Double.parseDouble(busy.get(2).replace("%", ""))).isPositive();
    assertThat(busy.get(3)).isEqualTo("0.50");
    assertThat(busy.get(5)).isEqualTo("64M");
    List<String> large = units.get(1);
    assertThat(large.getFirst()).isEqualTo("large.service");
    assertThat(large.get(4)).endsWith("M");
    assertThat(Integer.parseInt(large.get(4).replace("M", ""))).isBetween(40, 150);

    List<String> machine =
        cells(fleet.succeed("top", "--no-legend").lines().findFirst().orElseThrow());
    assertThat(machine.get(1)).isEqualTo("2");
    assertThat(machine.get(3)).isEqualTo("0.50");
    assertThat(machine.get(4)).isEqualTo(fleet.machine().succeed("nproc").strip());
    assertThat(machine.get(6)).isEqualTo("64M");
  }

  /** The key is pressed until it is heard: before that it is an ordinary character. */
  @Test
  void onATerminalOneKeyEndsItAndTheTerminalIsAsBefore() {
    fleet
        .machine()
        .write(
            "/root/screen",
            "stty rows 24 cols 80; /opt/fleet/bin/fleetctl top --interval=200ms;"
                + " echo ended=$?; stty -a\n");
    String screen =
        fleet
            .machine()
            .succeed(
                "sh",
                "-c",
                "rm -f /root/over; { until [ -e /root/over ]; do printf q; sleep 0.2; done; } |"
                    + " { script -qec 'sh /root/screen' /dev/null; touch /root/over; }");

    // It may be heard before the first table is shown.
    assertThat(screen).contains("ended=0").doesNotContain("RESERVED");
    assertThat(screen.substring(screen.indexOf("ended=0"))).contains(" icanon", " echo ");
  }
}
