package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** fleetds that are stopped, stand still or must not lead. Machine 3 never leads. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaderTest {

  private FleetCluster cluster;

  private final MachineTransport transport;

  LeaderTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster =
        FleetCluster.prepare(
            machines, machines.etcd(EtcdSettings.plain()), 3, transport.setting(), "agent_ttl=12s");
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
  void aStoppedLeaderHandsOverAtOnce() {
    FleetMachine leader = cluster.leader();
    leader.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    FleetMachine next = cluster.awaitLeaderBut(leader);
    assertThat(next).isNotEqualTo(cluster.machine(3));
    leader.machine().succeed("systemctl", "start", "fleet.service");
    cluster.awaitMembers();
    assertThat(cluster.leader()).isEqualTo(next);
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

  private String placements() {
    return cluster.etcd().ctl("get", "--prefix", "/_coreos.com/fleet/placement/");
  }

  private static String created(String fields) {
    return fields.lines().filter(line -> line.contains("CreateRevision")).findFirst().orElseThrow();
  }
}
