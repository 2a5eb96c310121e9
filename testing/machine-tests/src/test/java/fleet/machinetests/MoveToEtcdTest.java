package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Etcd;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A small cluster grows up: its registry, embedded so far, moves to etcd. */
@Order(1)
@ExtendWith(MachinesExtension.class)
class MoveToEtcdTest {

  private JoinedCluster cluster;
  private FleetMachine server;
  private Etcd etcd;

  @BeforeEach
  void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, 2, FleetMachine.PATIENT);
    server = cluster.server();
    etcd = machines.etcd(EtcdSettings.plain());
    FleetMachine one = cluster.joined(1);
    one.sleeper("web@.service").succeed("start", "web@1", "web@2", "web@3", "web@4", "web@5");
    one.sleeper("all.service", "Global=true").succeed("start", "all.service");
    one.sleeper("rests.service").succeed("submit", "rests.service");
    one.sleeper("loads.service").succeed("load", "loads.service");
    members()
        .await(
            "the global unit is everywhere",
            () ->
                members().running("all.service").values().stream().allMatch(on -> on.size() == 3));
    String change =
        "[{\"op\":\"add\",\"path\":\"/%s/metadata/disk\",\"value\":\"ssd\"}]"
            .formatted(one.machine().id());
    assertThat(one.api("PATCH", "/machines", change)).isEqualTo("204");
  }

  private Members members() {
    return cluster.members();
  }

  private void useEtcd() {
    String endpoints =
        String.join("\",\"", etcd.endpoints().stream().map(Object::toString).toList());
    server.set("etcd_insecure", "true");
    server.set("etcd_servers", "[\"" + endpoints + "\"]");
  }

  /** The lists of the cluster, and the processes that run. */
  private List<Object> everything() {
    return List.of(
        cluster.joined(2).succeed("list-unit-files", "--full"),
        cluster.joined(2).succeed("list-machines", "--full"),
        cluster.joined(2).succeed("token", "list"),
        cluster.joined(2).succeed("cat", "web@1"),
        members().processes("web@*"),
        List.copyOf(server.pids("all.service").values()));
  }

  private void hasMoved() {
    server.machine().awaitState("fleet.service", "active");
    members().awaitListed();
    assertThat(etcd.ctl("get", "--prefix", "--keys-only", "/_coreos.com/fleet/unit/").lines())
        .filteredOn(line -> !line.isEmpty())
        .hasSize(8);
  }

  @Test
  void takesAllWithItAndNoUnitIsTouched(Machines machines) {
    List<Object> before = everything();

    useEtcd();
    server.machine().succeed("systemctl", "restart", "fleet.service");

    hasMoved();
    assertThat(everything()).isEqualTo(before);
    server.machine().succeed("sleep", "5");
    assertThat(everything()).isEqualTo(before);
    for (FleetMachine one : members().machines()) {
      one.machine().succeed("systemctl", "restart", "fleet.service");
    }
    members().awaitListed();
    assertThat(everything()).isEqualTo(before);

    // More servers, and the first is lost: that is what it was for.
    var second = new FleetMachine(machines.boot());
    second.configure(etcd.endpoints(), FleetMachine.PATIENT, "enable_grpc=true").install();
    second.machine().await("it is one of four", () -> Members.listed(second) == 4);
    cluster.joined(1).set("join", address(server) + "," + address(second));
    cluster.joined(2).set("join", address(server) + "," + address(second));
    for (int number = 1; number <= 2; number++) {
      cluster.joined(number).machine().succeed("systemctl", "restart", "fleet.service");
    }
    server.losePower();
    var left =
        new Members(Stream.concat(members().others(server).stream(), Stream.of(second)).toList());
    left.awaitRunning("web@*", 5, left.machines());
    assertThat(cluster.joined(1).fleetctl("list-units").ok()).isTrue();
  }

  @Test
  void isCarriedOnWithWhereItWasCutShort() {
    List<Object> before = everything();
    useEtcd();
    for (int kills = 0; kills < 4; kills++) {
      String started = "s=$(date +%s.%N); systemctl restart --no-block fleet.service; sleep 0.";
      server.machine().run("sh", "-c", started + (2 + kills) + "; systemctl kill -s KILL fleet");
    }

    hasMoved();
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void isRefusedWhereEtcdIsInUseAndNothingIsLost() {
    Map<String, String> before = members().processes("web@*");
    etcd.ctl("put", "/_coreos.com/fleet/unit/other.service", "{}");
    useEtcd();

    // A fault that keeps systemd from trying would else be found only by a line missing in the
    // journal.
    assertThat(server.machine().run("systemctl", "restart", "fleet.service").stderr())
        .contains("Job for fleet.service failed");
    server
        .machine()
        .awaitJournal("fleetd: the registry of this machine.*is not empty: .*other.service");
    server.machine().awaitState("fleet.service", "failed");
    assertThat(members().processes("web@*")).isEqualTo(before);

    server.unset("etcd_servers").machine().succeed("systemctl", "restart", "fleet.service");
    members().awaitListed();
    assertThat(members().processes("web@*")).isEqualTo(before);
  }

  @Test
  void isNotForgottenWhereSomebodyTakesTheOptionAway() {
    Map<String, String> before = members().processes("web@*");
    useEtcd();
    server.machine().succeed("systemctl", "restart", "fleet.service");
    hasMoved();

    server.unset("etcd_servers").machine().run("systemctl", "restart", "fleet.service");

    server.machine().awaitJournal("was moved to etcd at .*: set etcd_servers again");
    assertThat(members().processes("web@*")).isEqualTo(before);
    useEtcd();
    server.machine().run("systemctl", "reset-failed", "fleet.service");
    server.machine().succeed("systemctl", "restart", "fleet.service");
    members().awaitListed();
    assertThat(members().processes("web@*")).isEqualTo(before);
  }

  private static String address(FleetMachine machine) {
    return machine.machine().address();
  }
}
