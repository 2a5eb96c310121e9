package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One server with an embedded registry and two machines that have joined it: a whole cluster. */
@Order(1)
@ExtendWith(MachinesExtension.class)
class JoinTest {

  private static final int COUNT = 6;
  private static final Duration TTL = Duration.ofSeconds(12);
  private static final AtomicInteger TESTS = new AtomicInteger();

  private static JoinedCluster cluster;

  /** Each test has units of its own, so that the journals' other entries are not about them. */
  private final String template = "join" + TESTS.incrementAndGet() + "-@";

  private final String units = template + "*";

  @BeforeAll
  static void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, 2, "agent_ttl=" + TTL.toSeconds() + "s");
  }

  /** Two units on each machine. */
  @BeforeEach
  void startUnits() {
    cluster.joined(1).sleeper(template + ".service").succeed(instances("start"));
    assertThat(members().spread(units)).containsExactly(2, 2, 2);
  }

  @AfterEach
  void heal() {
    members().heal();
    members().destroyAll();
  }

  private static Members members() {
    return cluster.members();
  }

  private String[] instances(String command) {
    return Stream.concat(
            Stream.of(command), IntStream.rangeClosed(1, COUNT).mapToObj(i -> template + i))
        .toArray(String[]::new);
  }

  // ---- machines that come and go

  @Test
  void theUnitsOfAMachineWithoutPowerRunElsewhereAndStayThereWhenItIsBack() {
    FleetMachine lost = cluster.joined(1);
    List<FleetMachine> others = members().others(lost);
    Map<String, String> before = processesOn(others);

    lost.losePower();
    members().awaitRunning(units, COUNT, others);

    assertThat(members().processes(units)).containsAllEntriesOf(before);
    Map<String, String> moved = members().processes(units);
    lost.machine().boot();
    members().awaitListed();
    assertThat(members().processes(units)).isEqualTo(moved);
    assertThat(lost.active(units)).isEmpty();
  }

  @Test
  void aMachineThatComesBackFromTheNetworksLossStopsWhatHasMoved() {
    FleetMachine lost = cluster.joined(2);
    List<FleetMachine> others = members().others(lost);
    Map<String, String> before = processesOn(others);

    lost.machine().cut();
    members()
        .await(
            "others run all of it",
            () -> others.stream().mapToInt(one -> one.active(units).size()).sum() == COUNT);
    assertThat(lost.active(units)).as("cut off, and told to keep them").hasSize(2);
    assertThat(lost.fleetctl("list-units").ok()).isFalse();

    lost.machine().join();
    members().awaitRunning(units, COUNT, others);
    assertThat(members().processes(units)).containsAllEntriesOf(before);
  }

  @Test
  void aServerWithoutNetworkOrPowerLeavesTheOthersUnitsAlone() {
    FleetMachine server = cluster.server();
    Map<String, String> before = processesOn(members().others(server));

    server.losePower();
    pass(TTL.plusSeconds(1));
    assertThat(members().processes(units)).isEqualTo(before);
    assertThat(cluster.joined(1).fleetctl("list-units").stderr())
        .as("somebody at three in the morning")
        .contains(server.machine().address());

    server.machine().boot();
    members().awaitListed();
    members().awaitRunning(units, COUNT, members().machines());
    assertThat(members().processes(units)).containsAllEntriesOf(before);
    pass(TTL.plusSeconds(1));
    assertThat(members().processes(units)).containsAllEntriesOf(before);
  }

  @Test
  void aStoppedFleetHandsItsUnitsOver() {
    FleetMachine stopped = cluster.joined(1);
    List<FleetMachine> others = members().others(stopped);
    Map<String, String> before = processesOn(others);

    stopped.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(stopped.active(units)).isEmpty();
    members().awaitRunning(units, COUNT, others);
    assertThat(members().processes(units)).containsAllEntriesOf(before);
    noneRanTwice();
  }

  @Test
  void soDoesAMachineThatShutsDown() {
    FleetMachine down = cluster.joined(2);

    down.machine().shutDown();

    members().awaitRunning(units, COUNT, members().others(down));
    noneRanTwice();
  }

  @Test
  void soDoesTheServerThoughNobodyLeadsAfterIt() {
    FleetMachine server = cluster.server();
    List<FleetMachine> others = members().others(server);
    Map<String, String> before = processesOn(others);

    server.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");

    assertThat(server.active(units)).isEmpty();
    members().awaitRunning(units, COUNT, others);
    Map<String, String> moved = members().processes(units);
    assertThat(moved).containsAllEntriesOf(before);
    noneRanTwice();
    server.machine().succeed("systemctl", "start", "fleet.service");
    members().awaitListed();
    pass(TTL.plusSeconds(1));
    assertThat(members().processes(units)).isEqualTo(moved);
  }

  @Test
  void soDoesAServerThatShutsDown() {
    FleetMachine server = cluster.server();

    server.machine().shutDown();

    members().awaitRunning(units, COUNT, members().others(server));
    noneRanTwice();
  }

  private static void pass(Duration time) {
    cluster.joined(1).machine().succeed("sleep", time.toSeconds() + "");
  }

  private Map<String, String> processesOn(List<FleetMachine> machines) {
    Map<String, String> processes = members().processes(units);
    processes
        .values()
        .removeIf(process -> machines.stream().noneMatch(one -> process.startsWith(one + " ")));
    return processes;
  }

  private void noneRanTwice() {
    List<String> all =
        IntStream.rangeClosed(1, COUNT).mapToObj(i -> template + i + ".service").toList();
    assertThat(members().runs(all)).allMatch(runs -> runs.overlaps().isEmpty());
  }
}
