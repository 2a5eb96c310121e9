package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines that speak to the leader themselves, with certificates that the cluster has made. */
@ExtendWith(MachinesExtension.class)
class RpcTest {

  private static FleetCluster cluster;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, "agent_ttl=12s");
  }

  /** Each on its stream, also if one took the store's way while the leader's port opened. */
  private static void awaitStreams() {
    cluster.await("machines are in the store no more", () -> cluster.keys("machine/").isEmpty());
    cluster.awaitMembers();
  }

  @AfterEach
  void heal() {
    cluster.heal();
    cluster.destroyAll();
  }

  @Test
  void whatMachinesSayIsNotInTheStoreAndAllAnswer() {
    awaitStreams();
    FleetMachine from = cluster.others(cluster.leader()).getFirst();
    from.sleeper("a@.service").succeed("start", "a@1", "a@2", "a@3");
    cluster.awaitRunning("a@*", 3, cluster.machines());

    assertThat(cluster.keys("machine/")).isEmpty();
    assertThat(cluster.keys("state/")).isEmpty();
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("list-units", "--no-legend").lines().filter(it -> it.startsWith("a@")))
          .hasSize(3)
          .allMatch(line -> line.contains("running"));
      assertThat(one.succeed("list-machines", "--no-legend").lines()).hasSize(3);
    }
  }

  @Test
  void aLeaderHasNoConnectionToItself() {
    awaitStreams();
    FleetMachine leader = cluster.leader();
    String address = leader.machine().address();
    assertThat(
            leader.machine().succeed("ss", "-Htn", "state", "established", "src", address).lines())
        .as("from the others at least")
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(
            leader
                .machine()
                .succeed("ss", "-Htn", "state", "established", "src", address, "dst", address))
        .isBlank();
  }

  /** On the smaller side of a network that is cut in two. */
  @Test
  void aLeaderThatIsCutOffIsFollowedByAnotherAndObeyedByNobody() {
    awaitStreams();
    FleetMachine cut = cluster.leader();
    List<FleetMachine> others = cluster.others(cut);
    others.getFirst().sleeper("c@.service").succeed("start", "c@1", "c@2", "c@3");
    cluster.awaitRunning("c@*", 3, cluster.machines());
    Map<String, String> before = cluster.processes("c@*");
    before.values().removeIf(process -> process.startsWith(cut + " "));

    cut.machine().cut();
    FleetMachine next = cluster.awaitLeaderBut(cut);
    cluster.await(
        "the others run all of it",
        () -> others.stream().mapToInt(one -> one.active("c@*").size()).sum() == 3);
    next.sleeper("d.service").succeed("start", "d.service");
    showsOldNewsAsSuch(cut);

    cut.machine().join();
    cluster.awaitRunning("c@*", 3, others);
    cluster.await("it knows of d.service", () -> knows(cut, "d.service"));
    assertThat(cluster.awaitRunning("d.service")).isNotEqualTo(cut);
    cluster.awaitMembers();
    assertThat(cluster.leader()).isEqualTo(next);
    assertThat(cluster.processes("c@*")).containsAllEntriesOf(before);
  }

  private static void showsOldNewsAsSuch(FleetMachine cut) {
    Result list = cut.fleetctl("list-units", "--no-legend");
    assertThat(list.ok()).isTrue();
    assertThat(list.stdout()).contains("c@").doesNotContain("d.service");
    assertThat(list.stderr()).containsOnlyOnce("have not reached etcd since ");
    Result start = cut.fleetctl("start", "c@1.service");
    assertThat(start.ok()).isFalse();
    assertThat(start.stderr()).contains("has not reached etcd since ");
  }

  private static boolean knows(FleetMachine machine, String unit) {
    Result list = machine.fleetctl("list-units", "--no-legend");
    return list.ok() && !list.stderr().contains("etcd") && list.stdout().contains(unit);
  }

  /** Machines still reach it; only the store, which it does not hear, says that another leads. */
  @Test
  void aLeaderThatLosesOnlyEtcdIsFollowedByAnotherAndNoOtherMachineNotices() {
    awaitStreams();
    FleetMachine old = cluster.leader();
    FleetMachine from = cluster.others(old).getFirst();
    from.sleeper("e@.service").succeed("start", "e@1", "e@2", "e@3");
    cluster.awaitRunning("e@*", 3, cluster.machines());
    Map<String, String> before = cluster.processes("e@*");
    before.values().removeIf(process -> process.startsWith(old + " "));

    cluster.wire(old).silence();
    FleetMachine next = cluster.awaitLeaderBut(old);
    assertThat(old.fleetctl("list-units").stderr()).contains("have not reached etcd since ");
    assertThat(from.fleetctl("list-units").stderr()).doesNotContain("etcd");
    from.sleeper("f@.service").succeed("start", "f@1", "f@2", "f@3");

    cluster.wire(old).heal();
    cluster.awaitRunning("e@*", 3, cluster.machines());
    cluster.awaitRunning("f@*", 3, cluster.machines());
    awaitStreams();
    assertThat(cluster.leader()).isEqualTo(next);
    assertThat(cluster.processes("e@*")).containsAllEntriesOf(before);
  }

  @Test
  void whoCannotReachTheLeaderGoesOnThroughTheStoreAndComesBack() {
    awaitStreams();
    FleetMachine leader = cluster.leader();
    FleetMachine cut = cluster.others(leader).getFirst();
    String id = cut.machine().id();

    cut.machine().succeed("ip", "route", "add", "blackhole", leader.machine().address() + "/32");
    cut.machine().awaitJournal("fleetd.*using the store");
    cluster.await("its record", () -> cluster.keys("machine/").contains("machine/" + id));
    leader.sleeper("b@.service").succeed("start", "b@1", "b@2", "b@3");
    cluster.awaitRunning("b@*", 3, cluster.machines());
    assertThat(leader.succeed("list-machines", "--no-legend").lines()).hasSize(3);
    assertThat(cluster.spread("b@*")).containsExactly(1, 1, 1);
    var before = cluster.processes("b@*");

    cut.machine().succeed("ip", "route", "del", "blackhole", leader.machine().address() + "/32");
    cut.machine().awaitJournal("fleetd.*answers again");
    awaitStreams();

    assertThat(cluster.processes("b@*")).isEqualTo(before);
  }
}
