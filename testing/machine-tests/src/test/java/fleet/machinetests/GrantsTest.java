package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One server and a machine that has joined it: who may do what, and from where. */
@ExtendWith(MachinesExtension.class)
class GrantsTest {

  private static FleetMachine server;
  private static FleetMachine joined;

  @BeforeAll
  static void boot(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 1);
    server = cluster.server();
    joined = cluster.joined(1);
    server.machine().succeed("groupadd", "fleet-viewer");
    server.machine().succeed("useradd", "-G", "fleet-viewer", "vera");
    server.machine().succeed("useradd", "olaf");
    server.machine().succeed("systemctl", "restart", "fleet.service");
    server.sleeper("here.service", "MachineID=" + server.machine().id());
    server.sleeper("there.service", "MachineID=" + id());
    server.machine().await("both are listed", () -> server.fleetctl("list-machines").ok());
    server.succeed("start", "here.service", "there.service");
  }

  @BeforeEach
  void revoke() {
    server.fleetctl("access", "revoke", "machine:" + id());
    server.fleetctl("access", "revoke", "user:olaf");
  }

  private static String id() {
    return joined.machine().id();
  }

  /** systemd keeps the socket, as the fleetd before has opened it. */
  @Test
  void aGroupWithFewerRightsStaysAdmittedOverARestart() {
    server.machine().succeed("systemctl", "restart", "fleet.service");
    server.machine().await("it asks again", () -> as("vera", "list-machines").ok());
    assertThat(server.log()).doesNotContain("let every user of this machine");
  }

  /** L19: the group fleet of a machine that has joined was root on all. */
  @Test
  void aMachineThatHasJoinedSeesItselfAndCommandsNothing() {
    assertThat(joined.succeed("list-units")).contains("there.service").doesNotContain("\nhere.");
    assertThat(joined.succeed("list-machines", "--full"))
        .contains(id())
        .doesNotContain(server.machine().id());
    assertThat(joined.succeed("status", "there.service")).contains("active (running)");
    assertThat(joined.fleetctl("journal", "here.service").ok()).isFalse();
    assertThat(joined.fleetctl("cat", "there.service").ok()).isFalse();
    joined.sleeper("evil.service", "Global=true");

    Result refused = joined.fleetctl("start", "evil.service");

    assertThat(refused.ok()).isFalse();
    assertThat(refused.stderr())
        .contains("user root on " + id() + " may not")
        .contains("run on a server: fleetctl access grant machine:" + id() + " --role=operator");
    assertThat(joined.fleetctl("token", "--role=server").ok()).isFalse();
    assertThat(server.succeed("list-unit-files")).doesNotContain("evil.service");
  }

  @Test
  void aMachineWithAGrantCommandsAndTheRecordNamesIt() {
    server.succeed("access", "grant", "machine:" + id(), "--role=operator");
    joined.sleeper("good.service");

    joined.succeed("start", "good.service");

    assertThat(server.succeed("events", "--since=all"))
        .contains("good.service created by user root on " + id());
    assertThat(joined.fleetctl("token").ok()).as("an operator makes no tokens").isFalse();
    joined.succeed("destroy", "good.service");
  }

  @Test
  void usersHaveTheRolesOfTheirGroups() {
    assertThat(as("vera", "list-units").stdout()).contains("here.service");
    Result refused = as("vera", "stop", "here.service");
    assertThat(refused.ok()).isFalse();
    assertThat(refused.stderr()).contains("fleetctl access grant user:vera --role=operator");
    assertThat(as("vera", "cat", "here.service").ok()).isFalse();
    assertThat(as("olaf", "list-units").ok()).isFalse();
  }

  @Test
  void aGrantIsOfSomeUnitsAndInForceAtOnce() {
    server.succeed("access", "grant", "user:olaf", "--role=operator", "--unit=here*");
    assertThat(as("olaf", "list-units").stdout())
        .contains("here.service")
        .doesNotContain("there.service");
    assertThat(as("olaf", "stop", "here.service").ok()).isTrue();
    assertThat(as("olaf", "start", "here.service").ok()).isTrue();
    assertThat(as("olaf", "destroy", "there.service").ok()).isFalse();
    assertThat(server.succeed("access", "check", "user:olaf", "start", "here.service"))
        .startsWith("yes: the role operator for units here*, by a grant to user:olaf");
    assertThat(server.fleetctl("access", "check", "user:olaf", "start", "there.service").ok())
        .isFalse();
    server.succeed("access", "revoke", "user:olaf");
    assertThat(as("olaf", "list-units").ok()).isFalse();
  }

  private static Result as(String user, String... arguments) {
    return server
        .machine()
        .run("su", user, "-c", "/opt/fleet/bin/fleetctl " + String.join(" ", arguments));
  }
}
