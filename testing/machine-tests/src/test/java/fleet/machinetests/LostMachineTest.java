package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines that lose their power or their network, are stopped, shut down. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LostMachineTest {

  private static final int COUNT = 6;
  private static final Duration TTL = Duration.ofSeconds(12);

  /** Longer than a unit must be inactive for that to be its end. */
  private static final Duration AT_REST = Duration.ofSeconds(11);

  private final AtomicInteger tests = new AtomicInteger();

  private FleetCluster cluster;

  /** Each test has units of its own, so that the journals' other entries are not about them. */
  private String template = "";

  private String units = "";

  private final MachineTransport transport;

  LostMachineTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster =
        FleetCluster.boot(machines, 3, transport.setting(), "agent_ttl=" + TTL.toSeconds() + "s");
  }

  /** Two units on each machine. */
  @BeforeEach
  void startUnits() {
    template = "lost" + tests.incrementAndGet() + "-@";
    units = template + "*";
    FleetMachine first = cluster.machine(1);
    first.sleeper(template + ".service").succeed(instances("start"));
    assertThat(cluster.spread(units)).containsExactly(2, 2, 2);
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  private String[] instances(String command) {
    return Stream.concat(
            Stream.of(command), IntStream.rangeClosed(1, COUNT).mapToObj(i -> template + i))
        .toArray(String[]::new);
  }

  private FleetMachine follower() {
    return cluster.others(cluster.leader()).getFirst();
  }

  @Test
  void theUnitsOfAMachineWithoutPowerRunElsewhereAndStayThereWhenItIsBack() {
    FleetMachine lost = follower();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.losePower();

    cluster.awaitRunning(units, COUNT, others);
    assertThat(cluster.processes(units)).containsAllEntriesOf(before);
    awaitListedAsLost(lost, others.getFirst());

    Map<String, String> moved = cluster.processes(units);
    lost.machine().boot();
    cluster.awaitMembers();
    cluster.await(
        "no machine is listed as lost",
        () -> !others.getFirst().get("/machines?all=1").contains("\"state\":\"lost\""));
    assertThat(cluster.processes(units)).isEqualTo(moved);
    assertThat(lost.active(units)).isEmpty();
  }

  @Test
  void soDoThoseOfALeaderWithoutPower() {
    FleetMachine lost = cluster.leader();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.losePower();

    cluster.awaitRunning(units, COUNT, others);
    assertThat(cluster.processes(units)).containsAllEntriesOf(before);
    awaitListedAsLost(lost, others.getFirst());
  }

  /** With its address, which only the lost leader may have been told. */
  private void awaitListedAsLost(FleetMachine lost, FleetMachine asked) {
    String line = lost.machine().address() + "\tlost";
    cluster.await(
        "the lost machine stays listed",
        () ->
            asked
                .fleetctl("list-machines", "--all", "--no-legend", "--fields=ip,state")
                .stdout()
                .lines()
                .anyMatch(line::equals));
  }

  @Test
  void aMachineThatComesBackFromTheNetworksLossStopsWhatHasMoved() {
    FleetMachine lost = follower();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.machine().cut();
    cluster.await(
        "others run all of it",
        () -> others.stream().mapToInt(one -> one.active(units).size()).sum() == COUNT);
    assertThat(lost.active(units)).as("cut off, and told to keep them").hasSize(2);

    lost.machine().join();
    cluster.awaitRunning(units, COUNT, others);
    assertThat(cluster.processes(units)).containsAllEntriesOf(before);
  }

  @Test
  void aNetworkLostForLessThanTheTtlMovesNothing() {
    Map<String, String> before = cluster.processes(units);
    FleetMachine lost = follower();

    lost.machine().cut();
    lost.machine().succeed("sleep", "1");
    lost.machine().join();

    lost.machine().succeed("sleep", TTL.plusSeconds(1).toSeconds() + "");
    assertThat(cluster.processes(units)).isEqualTo(before);
    assertThat(cluster.listed()).isEqualTo(3);
  }

  @Test
  void brokenConnectionsDeclareNobodyLost() {
    Map<String, String> before = cluster.processes(units);
    for (int round = 0; round < 5; round++) {
      cluster.wires().forEach(wire -> wire.reset());
      cluster.machine(1).machine().succeed("sleep", "0.7");
      assertThat(cluster.processes(units)).isEqualTo(before);
    }
    cluster.machine(2).sleeper("after.service").succeed("start", "after.service");
    assertThat(cluster.processes(units)).isEqualTo(before);
  }

  @Test
  void aStoppedFleetStopsItsUnitsAndThenTheyStartElsewhere() {
    FleetMachine stopped = follower();
    List<FleetMachine> others = cluster.others(stopped);
    Map<String, String> before = processesOn(others);

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(stopped.active(units)).isEmpty();
    assertThat(stopped.machine().property("fleet.service", "Result")).isEqualTo("success");
    cluster.awaitRunning(units, COUNT, others);
    assertThat(cluster.processes(units)).containsAllEntriesOf(before);
    noneRanTwice();
    stopped.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
  }

  @Test
  void soDoesAStoppedLeader() {
    FleetMachine stopped = cluster.leader();
    List<FleetMachine> others = cluster.others(stopped);

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(stopped.active(units)).isEmpty();
    cluster.awaitRunning(units, COUNT, others);
    noneRanTwice();
    stopped.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
  }

  @Test
  void aJobThatHasEndedOnAStoppedMachineRunsOnceMoreOnlyWhereSomebodyAsksForIt() {
    String job = template.replace("@", "job.service");
    FleetMachine first = cluster.machine(1);
    first.unitFile(job, "[Service]\nType=oneshot\nExecStart=/bin/true\n").succeed("start", job);
    FleetMachine stopped = holding(job, cluster.machines());
    List<FleetMachine> others = cluster.others(stopped);
    stopped.machine().succeed("sleep", AT_REST.toSeconds() + "");

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    cluster.awaitRunning(units, COUNT, others);
    cluster.await("the job is loaded elsewhere", () -> !holders(job, others).isEmpty());
    FleetMachine holder = holding(job, others);
    assertThat(cluster.runs(job).runs()).hasSize(1);
    cluster.await(
        "why is told", () -> holder.succeed("why", job).contains("not started, as it has ended"));

    assertThat(holder.succeed("start", job)).contains("launched on", holder.machine().address());
    assertThat(cluster.runs(job).runs()).hasSize(2);
    stopped.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
    assertThat(cluster.runs(job).runs()).hasSize(2);
  }

  private static FleetMachine holding(String unit, List<FleetMachine> machines) {
    return holders(unit, machines).getFirst();
  }

  /** The machines that have a unit's file. */
  private static List<FleetMachine> holders(String unit, List<FleetMachine> machines) {
    return machines.stream()
        .filter(one -> one.machine().run("test", "-e", "/run/fleet/units/" + unit).exitCode() == 0)
        .toList();
  }

  @Test
  void aMachineThatShutsDownHandsItsUnitsOver() {
    FleetMachine down = follower();
    List<FleetMachine> others = cluster.others(down);

    down.machine().shutDown();

    cluster.awaitRunning(units, COUNT, others);
    noneRanTwice();
  }

  private Map<String, String> processesOn(List<FleetMachine> machines) {
    Map<String, String> processes = cluster.processes(units);
    processes
        .values()
        .removeIf(process -> machines.stream().noneMatch(one -> process.startsWith(one + " ")));
    return processes;
  }

  private void noneRanTwice() {
    List<String> all =
        IntStream.rangeClosed(1, COUNT).mapToObj(i -> template + i + ".service").toList();
    assertThat(cluster.runs(all)).allMatch(runs -> runs.overlaps().isEmpty());
  }
}
