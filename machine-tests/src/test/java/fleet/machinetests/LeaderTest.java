package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Beside;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** fleetds that are killed, stand still or must not lead. Machine 3 never leads. */
@BothWays
@ExtendWith(MachinesExtension.class)
class LeaderTest {

  /** Longer than a killed fleetd takes to be back on a machine that has much else to do. */
  private static final Duration TTL = Duration.ofSeconds(9);

  private static FleetCluster cluster;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster =
        FleetCluster.prepare(
            machines, machines.etcd(EtcdSettings.plain()), 3, "agent_ttl=" + TTL.toSeconds() + "s");
    cluster.machine(3).set("disable_engine", "true");
    cluster.machines().forEach(FleetMachine::withoutWatchdog);
    cluster.install();
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  @Test
  void aKilledLeaderIsFollowedWithinSecondsAndNoUnitNotices() {
    FleetMachine third = cluster.machine(3);
    third.sleeper("old@.service").succeed("start", "old@1", "old@2", "old@3");
    third.sleeper("new.service");
    Map<String, String> before = cluster.processes("old@*");
    FleetMachine leader = cluster.leader();

    leader.machine().succeed("kill", "-KILL", leader.pid("fleet.service"));
    long killed = System.nanoTime();
    third.succeed("start", "new.service");

    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(4));
    assertThat(cluster.processes("old@*")).isEqualTo(before);
    pass(TTL.plusSeconds(1));
    assertThat(cluster.processes("old@*")).isEqualTo(before);
    assertThat(cluster.listed()).isEqualTo(3);
  }

  @Test
  void aStoppedLeaderHandsOverAtOnce() {
    FleetMachine leader = cluster.leader();
    leader.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    FleetMachine next = cluster.awaitLeaderBut(leader);
    assertThat(next).isNotEqualTo(cluster.machine(3));
    leader.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
    assertThat(cluster.leader()).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 200, 400, 700})
  void whereverTheLeaderIsKilledEachUnitRunsOnce(int millis) {
    startThirtyWhile(millis, cluster::leader);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 300, 600})
  void whereverAnAgentIsKilledEachUnitRunsOnce(int millis) {
    startThirtyWhile(millis, () -> cluster.machine(3));
  }

  private static void startThirtyWhile(int millis, Supplier<FleetMachine> killed) {
    FleetMachine victim = killed.get();
    FleetMachine from = cluster.others(victim).getFirst();
    String[] start =
        Stream.concat(
                Stream.of("start"), IntStream.range(0, 30).mapToObj(i -> "k" + millis + "-@" + i))
            .toArray(String[]::new);
    from.sleeper("k" + millis + "-@.service");
    var started = Beside.the(() -> from.fleetctl(start));
    victim.machine().succeed("sleep", millis / 1000.0 + "");
    victim.machine().succeed("kill", "-KILL", victim.pid("fleet.service"));
    var _ = started.join();

    String all = "k" + millis + "-@*";
    cluster.awaitRunning(all, 30, cluster.machines());
    cluster.awaitMembers();
    Map<String, String> settled = cluster.processes(all);
    pass(TTL.plusSeconds(1));
    assertThat(cluster.processes(all)).isEqualTo(settled);
    assertThat(cluster.runs(settled.keySet())).allMatch(unit -> unit.runs().size() == 1);
  }

  @Test
  void aLeaderThatStoodStillPastItsLeaseChangesNothingWhenItWakes() {
    FleetMachine third = cluster.machine(3);
    third.sleeper("still@.service").succeed("start", "still@1", "still@2", "still@3");
    FleetMachine old = cluster.leader();
    // Work that it has begun to think about.
    third.sleeper("meanwhile.service");

    old.freezeFleetd();
    third.fleetctl("start", "--no-block", "meanwhile.service");
    FleetMachine next = cluster.awaitLeaderBut(old);
    List<FleetMachine> others = cluster.others(old);
    cluster.await(
        "the others run all of it",
        () -> others.stream().mapToInt(one -> one.active("still@*").size()).sum() == 3);
    String placements = placements();
    String leader = cluster.etcd().ctl("get", "-w", "fields", "/_coreos.com/fleet/leader");

    old.thawFleetd();

    cluster.awaitRunning("still@*", 3, others);
    cluster.awaitMembers();
    assertThat(placements()).isEqualTo(placements);
    assertThat(created(cluster.etcd().ctl("get", "-w", "fields", "/_coreos.com/fleet/leader")))
        .isEqualTo(created(leader));
    assertThat(cluster.leader()).isEqualTo(next);
    assertThat(cluster.awaitRunning("meanwhile.service")).isNotEqualTo(old);
  }

  private static String placements() {
    return cluster.etcd().ctl("get", "--prefix", "/_coreos.com/fleet/placement/");
  }

  private static String created(String fields) {
    return fields.lines().filter(line -> line.contains("CreateRevision")).findFirst().orElseThrow();
  }

  private static void pass(Duration time) {
    cluster.machine(3).machine().succeed("sleep", time.toSeconds() + "");
  }
}
