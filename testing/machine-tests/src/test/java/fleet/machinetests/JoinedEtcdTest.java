package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers whose registry is in etcd, and a machine that has joined them and has no etcd. */
@ExtendWith(MachinesExtension.class)
class JoinedEtcdTest {

  private static final String IDENTITY = "/var/lib/fleet/identity.pem";

  private static FleetCluster servers;
  private static JoinedCluster cluster;
  private static FleetMachine joined;

  @BeforeAll
  static void boot(Machines machines) {
    servers =
        FleetCluster.prepare(
            machines, machines.etcd(EtcdSettings.plain()), 2, FleetMachine.PATIENT);
    servers.machines().forEach(one -> one.set("enable_grpc", "true"));
    servers.install();
    joined = new FleetMachine(machines.boot());
    cluster = JoinedCluster.of(servers.machines(), List.of(joined), FleetMachine.PATIENT);
  }

  @AfterEach
  void heal() {
    servers.machines().stream()
        .filter(one -> !one.machine().isUp())
        .forEach(one -> one.machine().boot());
    cluster.members().heal();
    cluster.members().destroyAll();
  }

  private static Map<String, String> startUnits(String name) {
    joined.sleeper(name + "@.service");
    joined.succeed("start", name + "@1", name + "@2", name + "@3");
    assertThat(cluster.members().spread(name + "@*")).containsExactly(1, 1, 1);
    return cluster.members().processes(name + "@*");
  }

  private static void allAnswer(String units, int count) {
    for (FleetMachine one : cluster.members().machines()) {
      if (one.machine().isUp()) {
        one.machine()
            .await(
                count + " units run as " + one + " tells",
                () ->
                    one.fleetctl("list-units", "--no-legend")
                            .stdout()
                            .lines()
                            .filter(line -> line.startsWith(units) && line.contains("running"))
                            .count()
                        == count);
      }
    }
  }

  @Test
  void itIsPartOfTheClusterThoughNothingOfItIsInEtcd() {
    startUnits("a");

    allAnswer("a@", 3);
    assertThat(servers.keys("machine/")).doesNotContain("machine/" + joined.machine().id());
    assertThat(servers.keys("schedule/" + joined.machine().id())).hasSize(1);
  }

  @Test
  void theAuthorityIsReplacedThoughTheLeaderIsKilledInTheMiddle() {
    Map<String, String> before = startUnits("r");
    FleetMachine leader = servers.leader();
    String first = joined.machine().read(IDENTITY);
    joined.freezeFleetd();
    assertThat(leader.fleetctl("ca", "rotate", "--no-block").exitCode()).isEqualTo(3);
    leader.killFleetd();
    joined.thawFleetd();

    joined.machine().await("it is replaced", () -> servers.leader().fleetctl("ca", "rotate").ok());
    assertThat(joined.machine().read(IDENTITY)).isNotEqualTo(first);
    cluster.members().awaitListed();
    assertThat(cluster.members().processes("r@*")).isEqualTo(before);
  }

  @Test
  void itFollowsWhenAnotherLeadsAndNoUnitNotices() {
    Map<String, String> before = startUnits("b");
    for (int round = 0; round < 2; round++) {
      FleetMachine leader = servers.leader();
      leader.killFleetd();
      cluster.members().awaitListed();
      allAnswer("b@", 3);
      assertThat(cluster.members().processes("b@*")).isEqualTo(before);
    }
    joined.sleeper("after.service").succeed("start", "after.service");
    assertThat(cluster.members().running("after.service")).hasSize(1);
  }

  @Test
  void itGoesOnWithTheOtherServerWhenTheLeaderLosesItsPower() {
    Map<String, String> before = startUnits("c");
    FleetMachine lost = servers.leader();
    List<FleetMachine> others = cluster.members().others(lost);
    before.values().removeIf(process -> process.startsWith(lost + " "));

    lost.losePower();

    servers.awaitLeaderBut(lost);
    cluster.members().awaitRunning("c@*", 3, others);
    assertThat(cluster.members().processes("c@*")).containsAllEntriesOf(before);
    joined.sleeper("more.service").succeed("start", "more.service");
    allAnswer("c@", 3);
  }

  @Test
  void aServerThatItCannotSpeakToLeavesTheLeadToOneThatItCan() {
    FleetMachine silent = servers.leader();
    Map<String, String> before = startUnits("e");
    try {
      silent.set("enable_grpc", "false").machine().succeed("systemctl", "restart", "fleet.service");

      servers.awaitLeaderBut(silent);
      cluster.members().awaitListed();
      allAnswer("e@", 3);
      assertThat(cluster.members().processes("e@*")).isEqualTo(before);
    } finally {
      silent.set("enable_grpc", "true").machine().succeed("systemctl", "restart", "fleet.service");
    }
  }

  @Test
  void aServerThatWasRemovedIsBelievedOnlyWithTheKeyThatItMakesWhenItComesBack() {
    FleetMachine leader = servers.leader();
    FleetMachine removed = servers.others(leader).getFirst();
    String id = removed.machine().id();
    String first = removed.machine().read(IDENTITY);

    leader.succeed("machines", "remove", id);
    joined
        .machine()
        .await("it knows", () -> joined.machine().read(IDENTITY).contains("Removed server: "));
    removed.machine().awaitState("fleet.service", "failed");

    leader.succeed("machines", "readmit", id);
    removed.machine().succeed("systemctl", "start", "fleet.service");
    cluster.members().awaitListed();
    assertThat(removed.machine().read(IDENTITY)).isNotEqualTo(first);
    leader.killFleetdForGood();
    servers.awaitLeaderBut(leader);
    joined.sleeper("f.service").succeed("start", "f.service");
    leader.reviveFleetd();
    cluster.members().awaitListed();
  }

  @Test
  void itsUnitsMoveWhenItLosesItsPower() {
    startUnits("d");

    joined.losePower();

    cluster.members().awaitRunning("d@*", 3, cluster.members().others(joined));
  }
}
