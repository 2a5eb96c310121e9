package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same as {@link RestartTest} with machines that have joined a server. */
@ExtendWith(MachinesExtension.class)
class JoinedRestartTest {

  @Test
  void aRestartOfFleetAndARestoreOfItsRegistryTouchNoUnit(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 2, FleetMachine.PATIENT);
    Members members = cluster.members();
    cluster.joined(1).sleeper("a@.service").succeed("start", "a@1", "a@2", "a@3", "a@4");
    Map<String, String> before = members.processes("a@*");
    for (FleetMachine one : members.machines()) {
      one.machine().succeed("systemctl", "restart", "fleet.service");
      members.awaitListed();
      assertThat(members.processes("a@*")).isEqualTo(before);
      one.killFleetd();
      members.awaitListed();
      assertThat(members.processes("a@*")).isEqualTo(before);
    }
    FleetMachine server = cluster.server();
    String units = server.succeed("list-unit-files", "--no-legend", "a@*");
    server.succeed("backup", "/root/backup");
    server.killFleetdForGood();
    server.machine().succeed("/opt/fleet/bin/fleetd", "restore", "--force", "/root/backup");
    server.reviveFleetd();
    members.awaitListed();
    assertThat(server.succeed("list-unit-files", "--no-legend", "a@*")).isEqualTo(units);
    // Longer than the TTL, after which mistakes would show.
    cluster.joined(1).machine().succeed("sleep", "31");
    assertThat(members.processes("a@*")).isEqualTo(before);
  }
}
