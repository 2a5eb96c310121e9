package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines are thrown out of the cluster, take each other's id or not, and come back. */
@ExtendWith(MachinesExtension.class)
class BelongingTest {

  private static final String IDENTITY = "/var/lib/fleet/identity.pem";

  private static void ends(FleetMachine machine, String why) {
    machine.machine().awaitState("fleet.service", "failed");
    assertThat(machine.machine().property("fleet.service", "ExecMainStatus")).isEqualTo("2");
    assertThat(machine.log()).contains(why);
  }

  @Test
  void aMachineIsThrownOutInAMomentAndComesBackWhenAnOperatorSaysSo(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 2);
    FleetMachine server = cluster.server();
    FleetMachine thrownOut = cluster.joined(1);
    FleetMachine other = cluster.joined(2);
    String id = thrownOut.machine().id();
    server.sleeper("moved.service", "MachineMetadata=there=yes");
    for (FleetMachine machine : new FleetMachine[] {thrownOut, other}) {
      server.api(
          "PATCH",
          "/machines",
          "[{\"op\":\"add\",\"path\":\"/%s/metadata/there\",\"value\":\"yes\"}]"
              .formatted(machine.machine().id()));
      if (machine.equals(thrownOut)) {
        server.succeed("start", "moved.service");
      }
    }

    assertThat(server.fleetctl("machines", "remove", "nobody").exitCode()).isEqualTo(1);
    assertThat(server.succeed("machines", "remove", id.substring(0, 8)))
        .contains("fleetctl machines readmit " + id);

    other.machine().await("its unit has moved", () -> other.active("moved.service").size() == 1);
    server.machine().await("it is not listed", () -> Members.listed(server) == 2);
    ends(thrownOut, "machine " + id + " was removed from the cluster by user root");
    assertThat(server.succeed("events", "--since=all"))
        .contains("machine " + id + ": removed from the cluster by user root");
    assertThat(thrownOut.active("moved.service")).as("nobody can tell it to stop").hasSize(1);

    // The identity of the removed machine proves nothing any more, whoever has it.
    thrownOut.machine().run("systemctl", "restart", "fleet.service");
    ends(thrownOut, "was removed from the cluster");
    String token = server.succeed("token").strip();
    thrownOut.configureJoined(cluster.addresses(), token);
    thrownOut.machine().succeed("rm", IDENTITY);
    thrownOut.machine().run("systemctl", "restart", "fleet.service");
    ends(thrownOut, "was removed from the cluster");

    server.succeed("machines", "readmit", id);
    thrownOut.machine().succeed("systemctl", "restart", "fleet.service");
    server.machine().await("it is listed", () -> Members.listed(server) == 3);
    assertThat(server.succeed("token", "list")).contains(id.substring(0, 8));

    // And another key for it needs an operator again.
    thrownOut.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    thrownOut.machine().succeed("rm", IDENTITY);
    thrownOut.machine().run("systemctl", "restart", "fleet.service");
    ends(thrownOut, "has been in the cluster since");
  }

  @Test
  void aServerIsNotThrownOutByItself(Machines machines) {
    FleetMachine server = new FleetMachine(machines.boot(1).getFirst());
    server.configureServer().install();

    Result removed = server.fleetctl("machines", "remove", server.machine().id());

    assertThat(removed.exitCode()).isEqualTo(1);
    assertThat(removed.stderr()).contains("is the server that answers this");
  }
}
