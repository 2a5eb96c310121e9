package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines that lose their power or their network, are stopped, restarted, shut down. */
@ExtendWith(MachinesExtension.class)
class LostMachineTest {

  private static final String UNITS = "unit@*";
  private static final int COUNT = 6;

  private static FleetCluster cluster;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, "agent_ttl=3s");
  }

  /** Two units on each machine. */
  @BeforeEach
  void startUnits() {
    FleetMachine first = cluster.machine(1);
    first.sleeper("unit@.service").succeed(instances("start"));
    assertThat(cluster.spread(UNITS)).containsExactly(2, 2, 2);
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  private static String[] instances(String command) {
    return Stream.concat(
            Stream.of(command), IntStream.rangeClosed(1, COUNT).mapToObj(i -> "unit@" + i))
        .toArray(String[]::new);
  }

  private static FleetMachine follower() {
    return cluster.others(cluster.leader()).getFirst();
  }

  @Test
  void theUnitsOfAMachineWithoutPowerRunElsewhereAndStayThereWhenItIsBack() {
    FleetMachine lost = follower();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.losePower();

    cluster.awaitRunning(UNITS, COUNT, others);
    assertThat(cluster.processes(UNITS)).containsAllEntriesOf(before);

    Map<String, String> moved = cluster.processes(UNITS);
    lost.machine().boot();
    cluster.awaitMembers();
    assertThat(cluster.processes(UNITS)).isEqualTo(moved);
    assertThat(lost.active(UNITS)).isEmpty();
  }

  @Test
  void soDoThoseOfALeaderWithoutPower() {
    FleetMachine lost = cluster.leader();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.losePower();

    cluster.awaitRunning(UNITS, COUNT, others);
    assertThat(cluster.processes(UNITS)).containsAllEntriesOf(before);
  }

  @Test
  void aMachineThatComesBackFromTheNetworksLossStopsWhatHasMoved() {
    FleetMachine lost = follower();
    List<FleetMachine> others = cluster.others(lost);
    Map<String, String> before = processesOn(others);

    lost.machine().cut();
    cluster.await(
        "others run all of it",
        () -> others.stream().mapToInt(one -> one.active(UNITS).size()).sum() == COUNT);
    assertThat(lost.active(UNITS)).as("cut off, and told to keep them").hasSize(2);

    lost.machine().join();
    cluster.awaitRunning(UNITS, COUNT, others);
    assertThat(cluster.processes(UNITS)).containsAllEntriesOf(before);
  }

  @Test
  void aNetworkLostForLessThanTheTtlMovesNothing() {
    Map<String, String> before = cluster.processes(UNITS);
    FleetMachine lost = follower();

    lost.machine().cut();
    lost.machine().succeed("sleep", "1");
    lost.machine().join();

    lost.machine().succeed("sleep", "4");
    assertThat(cluster.processes(UNITS)).isEqualTo(before);
    assertThat(cluster.listed()).isEqualTo(3);
  }

  @Test
  void brokenConnectionsDeclareNobodyLost() {
    Map<String, String> before = cluster.processes(UNITS);
    for (int round = 0; round < 5; round++) {
      cluster.wires().forEach(wire -> wire.reset());
      cluster.machine(1).machine().succeed("sleep", "0.7");
      assertThat(cluster.processes(UNITS)).isEqualTo(before);
    }
    cluster.machine(2).sleeper("after.service").succeed("start", "after.service");
    assertThat(cluster.processes(UNITS)).isEqualTo(before);
  }

  @Test
  void aStoppedFleetStopsItsUnitsAndThenTheyStartElsewhere() {
    FleetMachine stopped = follower();
    List<FleetMachine> others = cluster.others(stopped);
    Map<String, String> before = processesOn(others);

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(stopped.active(UNITS)).isEmpty();
    assertThat(stopped.machine().property("fleet.service", "Result")).isEqualTo("success");
    cluster.awaitRunning(UNITS, COUNT, others);
    assertThat(cluster.processes(UNITS)).containsAllEntriesOf(before);
    noneRanTwice();
    stopped.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
  }

  @Test
  void soDoesAStoppedLeader() {
    FleetMachine stopped = cluster.leader();
    List<FleetMachine> others = cluster.others(stopped);

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(stopped.active(UNITS)).isEmpty();
    cluster.awaitRunning(UNITS, COUNT, others);
    noneRanTwice();
    stopped.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
  }

  @Test
  void aMachineThatShutsDownHandsItsUnitsOver() {
    FleetMachine down = follower();
    List<FleetMachine> others = cluster.others(down);

    down.machine().shutDown();

    cluster.awaitRunning(UNITS, COUNT, others);
    noneRanTwice();
  }

  @Test
  void aRestartOfFleetTouchesNoUnit() {
    Map<String, String> before = cluster.processes(UNITS);
    for (FleetMachine one : cluster.machines()) {
      one.machine().succeed("systemctl", "restart", "fleet.service");
      assertThat(cluster.processes(UNITS)).isEqualTo(before);
    }
    cluster.awaitMembers();
    pass(Duration.ofSeconds(4));
    assertThat(cluster.processes(UNITS)).isEqualTo(before);
  }

  /** Longer than the TTL, after which mistakes would show. */
  private static void pass(Duration time) {
    cluster.machine(1).machine().succeed("sleep", time.toSeconds() + "");
  }

  private static Map<String, String> processesOn(List<FleetMachine> machines) {
    Map<String, String> processes = cluster.processes(UNITS);
    processes
        .values()
        .removeIf(process -> machines.stream().noneMatch(one -> process.startsWith(one + " ")));
    return processes;
  }

  private static void noneRanTwice() {
    for (int i = 1; i <= COUNT; i++) {
      assertThat(cluster.runs("unit@" + i + ".service").overlaps()).isEmpty();
    }
  }
}
