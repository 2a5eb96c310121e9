package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An etcd of one member that is away, slow, started again, compacted, full, or back in time. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EtcdFaultsTest {

  private final AtomicInteger tests = new AtomicInteger();
  private static final long QUOTA = 30_000_000;

  private static final Duration TTL = Duration.ofSeconds(6);

  /** Longer than every lease: the leader's 5 s, the machines'. */
  private static final Duration LONGER_THAN_LEASES = TTL.plusSeconds(3);

  private FleetCluster cluster;
  private FleetMachine first;

  /** Each test has units of its own, so that the journals' other entries are not about them. */
  private String template = "";

  private String units = "";

  private Map<String, String> before;

  private final MachineTransport transport;

  EtcdFaultsTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    var etcd = machines.etcd(EtcdSettings.plain().withQuota(QUOTA));
    cluster =
        FleetCluster.prepare(
            machines,
            etcd,
            3,
            transport.setting(),
            "agent_ttl=" + TTL.toSeconds() + "s",
            "etcd_quota=" + QUOTA / 1_000_000 + "M");
    cluster.install();
    first = cluster.machine(1);
  }

  @BeforeEach
  void startUnits() {
    template = "faults" + tests.incrementAndGet() + "-@";
    units = template + "*";
    first.sleeper(template + ".service").succeed("start", template + 1, template + 2, template + 3);
    before = cluster.processes(units);
    assertThat(cluster.spread(units)).containsExactly(1, 1, 1);
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  /** All is as it was, commands work, and nobody counted as lost. */
  private void allIsWell() {
    cluster.awaitMembers();
    first.sleeper("after.service");
    cluster.await("a unit starts", () -> first.fleetctl("start", "after.service").ok());
    cluster.awaitRunning("after.service");
    pass(TTL.plusSeconds(1));
    assertThat(cluster.processes(units)).isEqualTo(before);
    first.awaitState(template + "2.service", "active running");
    assertThat(cluster.runs(before.keySet())).allMatch(unit -> unit.overlaps().isEmpty());
  }

  @Test
  void whileItIsAwayUnitsRunOnAndNothingMovesWhenItIsBack() {
    cluster.etcd().kill();
    Result start = first.sleeper("late.service").fleetctl("start", "late.service");
    assertThat(start.ok()).isFalse();
    assertThat(start.stderr()).contains("etcd");
    pass(LONGER_THAN_LEASES);
    assertThat(cluster.processes(units)).isEqualTo(before);
    Result list = first.fleetctl("list-units", "--no-legend");
    assertThat(list.ok()).isTrue();
    assertThat(list.stdout().lines().filter(line -> line.contains("running"))).hasSize(3);
    assertThat(list.stderr()).contains("have not reached etcd since ");
    cluster.etcd().start();
    allIsWell();
  }

  @Test
  void whileItStandsStillToo() {
    cluster.etcd().freeze();
    pass(LONGER_THAN_LEASES);
    assertThat(cluster.processes(units)).isEqualTo(before);
    cluster.etcd().thaw();
    allIsWell();
  }

  @Test
  void aSlowOneDeposesNobody() {
    FleetMachine leader = cluster.leader();
    String created = leaderCreated();
    cluster.wires().forEach(wire -> wire.slow(Duration.ofMillis(150), Duration.ofMillis(150)));
    pass(LONGER_THAN_LEASES);
    first.sleeper("slow.service").succeed("start", "slow.service");
    assertThat(cluster.leader()).isEqualTo(leader);
    assertThat(leaderCreated()).isEqualTo(created);
    cluster.wires().forEach(wire -> wire.heal());
    allIsWell();
  }

  private String leaderCreated() {
    return cluster
        .etcd()
        .ctl("get", "-w", "fields", "/_coreos.com/fleet/leader")
        .lines()
        .filter(line -> line.contains("CreateRevision"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRestartInTheMiddleOfWorkLosesAndDoublesNothing() {
    String busy = template.replace("@", "busy@");
    first.sleeper(busy + ".service");
    String[] start = new String[31];
    start[0] = "start";
    for (int i = 1; i <= 30; i++) {
      start[i] = busy + i;
    }
    var started = BackgroundTasks.the(() -> first.fleetctl(start));
    pass(Duration.ofMillis(300));
    cluster.etcd().restart();
    var _ = started.join();
    cluster.await("all are started", () -> first.fleetctl(start).ok());
    cluster.awaitRunning(busy + "*", 30, cluster.machines());
    assertThat(cluster.runs(cluster.running(busy + "*").keySet()))
        .allMatch(unit -> unit.runs().size() == 1);
    allIsWell();
  }

  @Test
  void aMachineThatWasCutOffWhileHistoryWasCompactedCatchesUp() {
    FleetMachine cut = cluster.others(cluster.leader(), first).getFirst();
    first.sleeper("gone.service", "MachineID=" + cut.machine().id());
    first.sleeper("come.service", "MachineID=" + cut.machine().id());
    first.succeed("start", "gone.service");

    cluster.wire(cut).cut();
    first.fleetctl("destroy", "--no-block", "gone.service");
    first.succeed("start", "--no-block", "come.service");
    first.sleeper("noise.service");
    for (int i = 0; i < 5; i++) {
      first.succeed("start", "noise.service");
      first.succeed("destroy", "noise.service");
    }
    cluster.etcd().compact();
    cluster.wire(cut).heal();

    cluster.awaitRunning("come.service", cut);
    cluster.await("gone.service is gone", () -> cluster.whereRunning("gone.service").isEmpty());
    cluster.awaitRunning(units, 3, cluster.machines());
  }

  @Test
  void aFullOneRefusesWritesAndSaysSoAndUnitsRunOn() {
    cluster.etcd().fill();
    Result start = first.sleeper("full.service").fleetctl("start", "full.service");
    assertThat(start.ok()).isFalse();
    assertThat(start.stderr()).contains("full");
    pass(LONGER_THAN_LEASES);
    assertThat(cluster.processes(units)).isEqualTo(before);
    cluster.etcd().empty();
    allIsWell();
  }

  @Test
  void aBackupRestoredUnderRunningUnitsTouchesNoneThatItKnows(@TempDir Path folder) {
    cluster.etcd().save(folder.resolve("backup"));
    first.sleeper("later.service").succeed("start", "later.service");
    String storeId = cluster.stored(".store/id");

    cluster.etcd().restore(folder.resolve("backup"));

    cluster.await("the store has a new id", () -> !cluster.stored(".store/id").equals(storeId));
    cluster.await(
        "what the backup does not know is stopped",
        () -> cluster.whereRunning("later.service").isEmpty());
    allIsWell();
    assertThat(cluster.runs(before.keySet()))
        .allMatch(unit -> unit.runs().getLast().stopMicros().isEmpty());
  }

  @Test
  void aSilentWireOfOneMachineLosesThatMachineAtMost() {
    FleetMachine leader = cluster.leader();
    FleetMachine silent = cluster.others(leader).getFirst();
    List<FleetMachine> others = cluster.others(silent);
    cluster.wire(silent).silence();
    if (transport == MachineTransport.RPC) {
      pass(LONGER_THAN_LEASES);
      leader.sleeper("meanwhile.service", "MachineID=" + silent.machine().id());
      leader.succeed("start", "meanwhile.service");
      cluster.wire(silent).heal();
      allIsWell();
      return;
    }
    cluster.await(
        "the others run all of it",
        () -> others.stream().mapToInt(one -> one.active(units).size()).sum() == 3);
    cluster.wire(silent).heal();
    cluster.awaitRunning(units, 3, others);
  }

  private void pass(Duration time) {
    first.machine().succeed("sleep", time.toMillis() / 1000.0 + "");
  }
}
