package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Any server answers, whoever leads, and while that changes. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AnyServerTest {

  FleetCluster cluster;

  private final MachineTransport transport;

  AnyServerTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, transport.setting(), FleetMachine.PATIENT);
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  /** Each takes a moment to start, so that the leader is lost in the middle. */
  @Test
  void aStartThatWaitsGoesOnWithTheNextLeader() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getLast();
    asked.unitFile(
        "s@.service",
        "[Service]\nExecStartPre=/bin/sleep 1\nExecStart=/bin/sleep infinity\nTimeoutStartSec=60\n");
    String[] start =
        Stream.concat(Stream.of("start"), IntStream.rangeClosed(1, 12).mapToObj(i -> "s@" + i))
            .toArray(String[]::new);

    var started = BackgroundTasks.the(() -> asked.fleetctl(start));
    cluster.await("the first begin", () -> !cluster.keys("placement/").isEmpty());
    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));
    Result result = started.join();

    assertThat(result.orThrow().stdout().lines().filter(line -> line.contains("launched on")))
        .hasSize(12);
    cluster.awaitRunning("s@*", 12, cluster.machines());
    assertThat(cluster.runs(cluster.running("s@*").keySet()))
        .hasSize(12)
        .allMatch(unit -> unit.runs().size() == 1);
  }

  @Test
  void anOrderReachesTheMachineThatHasTheUnit() {
    FleetMachine asked = cluster.machine(1);
    asked.unitFile(
        "o@.service",
        """
        [Service]
        ExecStart=/bin/sleep infinity
        ExecReload=/bin/touch /run/%p-%i
        [X-Fleet]
        Conflicts=o@*
        """);
    asked.succeed("start", "o@1", "o@2", "o@3");

    asked.succeed("reload", "o@1", "o@2", "o@3");

    for (FleetMachine one : cluster.machines()) {
      String unit = one.active("o@*").iterator().next();
      String number = unit.replaceAll("o@(.)\\.service", "$1");
      one.machine().succeed("test", "-e", "/run/o-" + number);
    }
  }

  /** Units that a machine has not told the new leader of yet are missing, and said to be. */
  @Test
  void listsAreAnsweredWhileTheLeaderChanges() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getFirst();
    asked.sleeper("q@.service").succeed("start", "q@1", "q@2", "q@3");

    var asking =
        BackgroundTasks.the(() ->
            asked
                .machine()
                .run(
                    "sh",
                    "-c",
                    "i=0; while [ $i -lt 20 ]; do i=$((i+1));"
                        + " fleetctl list-units --no-legend >/tmp/out 2>/tmp/err ||"
                        + " { echo failed $?; cat /tmp/err; exit 1; };"
                        + " [ $(wc -l </tmp/out) = 3 ] || grep -q '^Not listed: 1 unit' /tmp/err ||"
                        + " { cat /tmp/out /tmp/err; exit 2; }; done; echo all"));
    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));

    assertThat(asking.join().orThrow().stdout()).isEqualToIgnoringNewLines("all");
  }

  /** A process that stands still says nothing, and its connections stay. */
  @Test
  void aLeaderThatStandsStillHoldsNobodyUpForLong() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getFirst();
    asked.sleeper("z.service").succeed("start", "z");
    leader.freezeFleetd();
    try {
      // The next leader knows machines once they have reported to it.
      asked.succeed("list-machines");
      assertThat(asked.succeed("list-unit-files", "--no-legend").lines()).hasSize(1);
    } finally {
      leader.thawFleetd();
    }
  }
}
