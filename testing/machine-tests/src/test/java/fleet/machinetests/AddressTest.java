package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines whose address changes, or comes later than their fleetd: no one is configured. */
@ExtendWith(MachinesExtension.class)
class AddressTest {

  private static final String NO_CONTACT = "no contact with the server since";

  @Test
  void aLeaderAndAFollowerAreFoundWhereTheyAreNow(Machines machines) {
    FleetCluster cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT);
    foundOut(cluster);
    FleetMachine leader = cluster.leader();
    FleetMachine follower = cluster.others(leader).getFirst();
    FleetMachine third = cluster.others(leader, follower).getFirst();
    leader.sleeper("a@.service").succeed("start", "a@1", "a@2", "a@3");
    cluster.awaitRunning("a@*", 3, cluster.machines());
    Map<String, String> before = cluster.processes("a@*");
    String lead = leader.machine().id();

    String moved = move(leader);
    cluster.await("the key says so", () -> cluster.stored("leader").contains(moved));
    assertThat(cluster.stored("leader")).as("it leads on").contains(lead);
    for (FleetMachine one : cluster.others(leader)) {
      cluster.await(one + " reaches it", () -> lists(one, moved));
      one.sleeper("b-" + one + ".service").succeed("start", "b-" + one + ".service");
    }

    String followers = move(follower);
    cluster.await("it is listed", () -> lists(third, followers) && lists(leader, followers));
    cluster.awaitMembers();
    assertThat(cluster.processes("a@*")).as("nothing was moved").isEqualTo(before);
  }

  @Test
  void aServerThatBootsBeforeItsAddressRunsNothingThatAMachineRunsWhichHasJoined(
      Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 1, "agent_ttl=15s");
    FleetMachine server = cluster.server();
    FleetMachine joined = cluster.joined(1);
    server.unset("public_ip");
    server.sleeper("c@.service", "MachineID=" + joined.machine().id());
    server.unitFile("own.service", "[Service]\nExecStart=/bin/sleep infinity\n");
    server.sleeper("d@.service").succeed("start", "d@1", "d@2", "d@3", "d@4");
    cluster.members().awaitRunning("d@*", 4, cluster.members().machines());
    Map<String, String> before = cluster.members().processes("d@*");
    before.values().removeIf(process -> process.startsWith(server + " "));
    assertThat(before).isNotEmpty();
    server
        .machine()
        .succeed("rm", "/etc/systemd/system/multi-user.target.wants/test-network.service");

    server.losePower();
    server.machine().boot();
    server.machine().await("it runs its own again", () -> !server.active("d@*").isEmpty());
    assertThat(server.machine().succeed("systemctl", "status", "fleet.service"))
        .contains("machines that have joined cannot speak to this server")
        .contains("their units stay with them");
    server.sleeper("e.service").succeed("start", "e.service");
    server.machine().succeed("sleep", "17");
    assertThat(server.active("d@*")).hasSize(4 - before.size());

    server.machine().succeed("systemctl", "start", "test-network.service");
    cluster.members().awaitListed();
    assertThat(lists(joined, server.machine().address())).isTrue();
    assertThat(cluster.members().processes("d@*")).containsAllEntriesOf(before);
    assertThat(server.active("d@*")).hasSize(4 - before.size());
  }

  @Test
  void aServerThatMovesWhileItRunsIsFoundByItsNameBeforeUnitsAreStartedElsewhere(
      Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 1, FleetMachine.PATIENT);
    FleetMachine server = cluster.server();
    FleetMachine joined = cluster.joined(1);
    server.unset("public_ip").machine().succeed("systemctl", "reload", "fleet.service");
    name(joined, server.machine().address());
    joined.set("join", "server.test").machine().succeed("systemctl", "restart", "fleet.service");
    server.sleeper("f@.service").succeed("start", "f@1", "f@2", "f@3", "f@4");
    cluster.members().awaitRunning("f@*", 4, cluster.members().machines());
    Map<String, String> before = cluster.members().processes("f@*");

    String moved = move(server);
    name(joined, moved);

    joined.machine().await("it finds the server", () -> lists(joined, moved));
    assertThat(cluster.members().processes("f@*")).isEqualTo(before);
    assertThat(server.log()).doesNotContain("is lost");

    server.losePower();
    joined.machine().await("its status says so", () -> status(joined).contains(NO_CONTACT));
  }

  private static String status(FleetMachine of) {
    return of.machine().run("systemctl", "status", "fleet.service").stdout();
  }

  private static void name(FleetMachine of, String address) {
    of.machine().succeed("sh", "-c", "echo %s server.test >/etc/hosts".formatted(address));
  }

  private static boolean lists(FleetMachine by, String address) {
    var list = by.fleetctl("list-machines", "--no-legend", "--full");
    return list.ok() && list.stdout().contains(address);
  }

  /** No machine has an address in its configuration any more. */
  private static void foundOut(FleetCluster cluster) {
    for (FleetMachine one : cluster.machines()) {
      one.unset("public_ip").machine().succeed("systemctl", "reload", "fleet.service");
    }
    cluster.awaitMembers();
  }

  /** As DHCP does it, and gives the new address. */
  private static String move(FleetMachine machine) {
    String before = machine.machine().address();
    String after = before.replaceFirst("\\.(\\d+)$", ".1$1");
    machine
        .machine()
        .succeed(
            "sh",
            "-c",
            """
            gateway=$(ip route show default | cut -d' ' -f3)
            ip address del %s/24 dev host0
            ip address add %s/24 dev host0
            ip route replace default via $gateway
            """
                .formatted(before, after));
    return after;
  }
}
