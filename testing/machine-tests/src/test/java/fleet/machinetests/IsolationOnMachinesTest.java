package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines that stop their units when they are cut off: {@code on_isolation=stop}. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class IsolationOnMachinesTest {

  private FleetCluster cluster;

  private final AtomicInteger tests = new AtomicInteger();

  /** Each test has units of its own, so that the journals' other entries are not about them. */
  private String free = "";

  private String stubborn = "";

  private FleetMachine isolated;

  private final MachineTransport transport;

  IsolationOnMachinesTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster =
        FleetCluster.boot(machines, 3, transport.setting(), "agent_ttl=12s", "on_isolation=stop");
  }

  /** One ends when told, one ignores it, one is global. */
  @BeforeEach
  void startUnits() {
    int test = tests.incrementAndGet();
    free = "free" + test + "-@";
    stubborn = "stubborn" + test + "-@";
    isolated = cluster.others(cluster.leader()).getFirst();
    String here = "MachineID=" + isolated.machine().id();
    FleetMachine first = cluster.machine(1);
    first.sleeper("bound.service", here);
    first.sleeper(free + ".service");
    first.unitFile(
        stubborn + ".service",
        "[Service]\nExecStart=/bin/sh -c 'trap \"\" TERM; while :; do sleep 1; done'\nTimeoutStopSec=10\n");
    first.sleeper("everywhere.service", "Global=true");
    first.succeed("start", "bound.service", "everywhere.service");
    first.succeed("start", free + 1, free + 2, free + 3);
    first.succeed("start", stubborn + 1, stubborn + 2, stubborn + 3);
    cluster.await(
        "everywhere.service runs everywhere",
        () -> cluster.whereRunning("everywhere.service").size() == 3);
  }

  @AfterEach
  void heal() {
    cluster.heal();
    // Destroying them would take all the time that they have to end.
    for (FleetMachine one : cluster.machines()) {
      one.machine().run("systemctl", "kill", "--signal=KILL", stubborn + "*");
    }
    cluster.destroyAll();
  }

  private void unitsMoveAndNeverRunTwice() {
    List<FleetMachine> others = cluster.others(isolated);
    for (String units : List.of(free + "*", stubborn + "*")) {
      cluster.await(
          "the others run all of " + units,
          () -> others.stream().mapToInt(one -> one.active(units).size()).sum() == 3);
    }
    assertThat(isolated.active(free + "*")).isEmpty();
    assertThat(isolated.active(stubborn + "*")).isEmpty();
    assertThat(isolated.active("bound.service")).isEmpty();
    assertThat(isolated.active("everywhere.service")).isNotEmpty();
    List<String> all =
        Stream.of(free, stubborn)
            .flatMap(units -> IntStream.rangeClosed(1, 3).mapToObj(i -> units + i + ".service"))
            .toList();
    assertThat(cluster.runs(all)).allMatch(runs -> runs.overlaps().isEmpty());
  }

  @Test
  void aMachineThatIsCutOffHasStoppedItsUnitsBeforeTheyRunElsewhere() {
    isolated.machine().cut();
    unitsMoveAndNeverRunTwice();
    saysNothingOldAsIfItWereNew();
  }

  @Test
  void soHasALeader() {
    isolated = cluster.leader();
    isolated.machine().cut();
    unitsMoveAndNeverRunTwice();
    saysNothingOldAsIfItWereNew();
  }

  /** By now the others have decided what it does not know of. */
  private void saysNothingOldAsIfItWereNew() {
    Result list = isolated.fleetctl("list-units");
    if (list.ok()) {
      assertThat(list.stderr()).contains("have not reached etcd since ");
    } else {
      assertThat(list.stderr()).isNotBlank();
    }
    assertThat(isolated.fleetctl("stop", free + 1).ok()).isFalse();
  }

  @Test
  void alsoWithItsFleetdDead() {
    isolated.killFleetdForGood();
    unitsMoveAndNeverRunTwice();
    isolated.reviveFleetd();
  }

  /** In time is a matter of the setting, not of how fast the machine is that tests. */
  @Test
  void aFleetdThatIsBackInTimeKeepsThem() {
    isolated.set("agent_ttl", "90s").machine().succeed("systemctl", "restart", "fleet.service");
    awaitPartOfTheCluster(isolated);
    // The other machines keep to their shorter time, and a busy one may be late.
    cluster.awaitRunning("bound.service", 1, List.of(isolated));
    String before = isolated.pid("bound.service");
    isolated.killFleetd();
    long deadline = deadline();
    isolated.machine().await("its new fleetd puts the end off", () -> deadline() > deadline);
    assertThat(isolated.pid("bound.service")).isEqualTo(before);
    isolated.set("agent_ttl", "12s").machine().succeed("systemctl", "restart", "fleet.service");
  }

  /** When units are stopped, in hundredths of a second since the boot. */
  private long deadline() {
    return Long.parseLong(
        isolated.machine().read("/run/fleet/isolation/deadline").split(" ", -1)[0]);
  }

  /** From then on the time that its fleetd has counts, and not what is left of an earlier one's. */
  private void awaitPartOfTheCluster(FleetMachine one) {
    one.machine()
        .await(
            "its fleetd is part of the cluster",
            () ->
                one.machine()
                    .run(
                        "journalctl",
                        "_PID=" + one.pid("fleet.service"),
                        "--grep=is part of the cluster")
                    .ok());
  }
}
