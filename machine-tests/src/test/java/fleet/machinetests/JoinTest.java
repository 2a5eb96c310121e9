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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One server with an embedded registry and two machines that have joined it: a whole cluster. */
@ExtendWith(MachinesExtension.class)
class JoinTest {

  private static final int COUNT = 6;
  private static final Duration TTL = Duration.ofSeconds(8);
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

  /** With Java's own all would work as well, and cost a leader of thousands twice as much. */
  @Test
  void machinesSpeakNativeTlsAndWaitForItNatively() {
    for (FleetMachine one : members().machines()) {
      assertThat(one.machine().read("/proc/" + one.pid("fleet.service") + "/maps"))
          .contains("/opt/fleet/lib/native/libnetty_tcnative")
          .contains("/opt/fleet/lib/native/libnetty_transport_native_epoll");
    }
  }

  // ---- what a machine that has joined can do

  @Test
  void anyMachineTellsOfAllUnitsAndMachines() {
    for (FleetMachine one : members().machines()) {
      assertThat(one.succeed("list-machines", "--no-legend").lines()).hasSize(3);
      assertThat(one.succeed("list-units", "--no-legend").lines())
          .hasSize(COUNT)
          .allMatch(line -> line.contains("running"));
      assertThat(one.succeed(instances("status"))).contains("Active: active (running)");
      assertThat(one.succeed("journal", units).lines().filter(line -> line.contains("Started")))
          .hasSize(COUNT);
      assertThat(one.succeed("top", "--no-legend").lines()).hasSize(3);
    }
  }

  @Test
  void anyMachineTakesCommands() {
    for (FleetMachine one : members().machines()) {
      one.succeed("stop", template + "1");
      assertThat(members().running(template + "1.service")).isEmpty();
      one.succeed("start", template + "1");
      assertThat(members().whereRunning(template + "1.service")).hasSize(1);
      one.sleeper("extra.service").succeed("start", "extra.service");
      one.succeed("cat", "extra.service");
      one.succeed("destroy", "extra.service");
      assertThat(members().running("extra.service")).isEmpty();
    }
  }

  @Test
  void anyMachineMakesListsAndRevokesTokens() {
    FleetMachine one = cluster.joined(2);
    String id = one.succeed("token", "create", "--ttl=10m").split("-", -1)[2];

    assertThat(cluster.server().succeed("token", "list")).contains(id);
    assertThat(one.succeed("token", "list")).contains(id);
    assertThat(one.succeed("token", "revoke", id)).contains("Revoked token " + id);
    assertThat(cluster.server().succeed("token", "list")).doesNotContain(id);
    assertThat(one.fleetctl("token", "create", "--role=server").stderr())
        .contains("tokens for servers are made on servers");
  }

  // ---- machines that come and go

  @Test
  void theUnitsOfAMachineWithoutPowerRunElsewhereAndStayThereWhenItIsBack() {
    FleetMachine lost = cluster.joined(1);
    List<FleetMachine> others = members().others(lost);
    Map<String, String> before = processesOn(others);

    long cut = System.nanoTime();
    lost.losePower();
    members().awaitRunning(units, COUNT, others);

    // TTL and a second, and what it takes to ask machines that are busy what they run.
    assertThat(Duration.ofNanos(System.nanoTime() - cut)).isLessThan(TTL.plusSeconds(5));
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
  void aRestartOfFleetTouchesNoUnit() {
    Map<String, String> before = members().processes(units);
    for (FleetMachine one : members().machines()) {
      one.machine().succeed("systemctl", "restart", "fleet.service");
      members().awaitListed();
      assertThat(members().processes(units)).isEqualTo(before);
      one.killFleetd();
      members().awaitListed();
      assertThat(members().processes(units)).isEqualTo(before);
    }
    pass(TTL.plusSeconds(1));
    assertThat(members().processes(units)).isEqualTo(before);
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
