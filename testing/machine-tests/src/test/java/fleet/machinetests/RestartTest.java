package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** fleetd that is killed, restarted or in maintenance: units run on, and stay. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestartTest {

  /** Longer than a killed fleetd takes to be back on a machine that has much else to do. */
  private static final Duration TTL = Duration.ofSeconds(30);

  private FleetCluster cluster;

  /** The units of all tests so far, with where each runs and was started once. */
  private final Map<String, String> settled = new TreeMap<>();

  private final MachineTransport transport;

  RestartTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster =
        FleetCluster.boot(machines, 3, transport.setting(), "agent_ttl=" + TTL.toSeconds() + "s");
  }

  @AfterEach
  void heal() {
    cluster.heal();
  }

  /** No unit notices the faults of later tests either, nor what shows only after the TTL. */
  @AfterAll
  void eachUnitStillRunsWhereItWasStarted() {
    pass();
    assertThat(cluster.listed()).isEqualTo(3);
    Map<String, String> now = cluster.processes("*.service");
    now.keySet().retainAll(settled.keySet());
    assertThat(now).isEqualTo(settled);
    assertThat(cluster.runs(settled.keySet())).allMatch(unit -> unit.runs().size() == 1);
  }

  @Test
  void aRestartOfFleetTouchesNoUnit() {
    FleetMachine third = cluster.machine(3);
    third.sleeper("kept@.service").succeed("start", "kept@1", "kept@2", "kept@3");
    Map<String, String> before = cluster.processes("kept@*");
    for (FleetMachine one : cluster.machines()) {
      one.machine().succeed("systemctl", "restart", "fleet.service");
      assertThat(cluster.processes("kept@*")).isEqualTo(before);
    }
    cluster.awaitMembers();
    settled.putAll(before);
  }

  @Test
  void aStopForMaintenanceTouchesNoUnit() {
    FleetMachine first = cluster.machine(1);
    FleetMachine third = cluster.machine(3);
    third.sleeper("held@.service").succeed("start", "held@1", "held@2", "held@3");
    Map<String, String> before = cluster.processes("held@*");
    third.succeed("maintenance", "--self");
    third.machine().succeed("systemctl", "stop", "fleet.service");
    cluster.await(
        "machine 3 is away",
        () -> first.succeed("list-machines").contains("is away, in maintenance until"));
    pass();
    assertThat(cluster.processes("held@*")).isEqualTo(before);

    third.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
    third.succeed("maintenance", "--end", "--self");
    assertThat(cluster.processes("held@*")).isEqualTo(before);
    settled.putAll(before);
  }

  @Test
  void aKilledLeaderIsFollowedAndNoUnitNotices() {
    FleetMachine leader = cluster.leader();
    FleetMachine other = cluster.others(leader).getFirst();
    other.sleeper("old@.service").succeed("start", "old@1", "old@2", "old@3");
    other.sleeper("new.service");
    Map<String, String> before = cluster.processes("old@*");

    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));
    other.succeed("start", "new.service");

    assertThat(cluster.processes("old@*")).isEqualTo(before);
    settled.putAll(before);
  }

  @Test
  void wheneverTheLeaderIsKilledEachUnitRunsOnce() {
    eachRunsOnceThoughKilledAfter(List.of(50, 200, 400, 700), cluster::leader);
  }

  @Test
  void wheneverAnAgentIsKilledEachUnitRunsOnce() {
    eachRunsOnceThoughKilledAfter(
        List.of(100, 300, 600), () -> cluster.others(cluster.leader()).getFirst());
  }

  private void eachRunsOnceThoughKilledAfter(List<Integer> millis, Supplier<FleetMachine> killed) {
    for (int after : millis) {
      settled.putAll(startThirtyWhile(after, killed.get()));
    }
  }

  /** Gives where they run. */
  private Map<String, String> startThirtyWhile(int millis, FleetMachine victim) {
    FleetMachine from = cluster.others(victim).getFirst();
    String[] start =
        Stream.concat(
                Stream.of("start"), IntStream.range(0, 30).mapToObj(i -> "k" + millis + "-@" + i))
            .toArray(String[]::new);
    from.sleeper("k" + millis + "-@.service");
    var started = BackgroundTasks.the(() -> from.fleetctl(start));
    victim.machine().succeed("sleep", millis / 1000.0 + "");
    victim.machine().succeed("kill", "-KILL", victim.pid("fleet.service"));
    var _ = started.join();

    String all = "k" + millis + "-@*";
    cluster.awaitRunning(all, 30, cluster.machines());
    cluster.awaitMembers();
    return cluster.processes(all);
  }

  /** Longer than the TTL, after which mistakes would show. */
  private void pass() {
    cluster.machine(3).machine().succeed("sleep", TTL.plusSeconds(1).toSeconds() + "");
  }
}
