package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two machines with one id. */
@ExtendWith(MachinesExtension.class)
class TwinTest {

  @ParameterizedTest
  @EnumSource
  void theSecondIsRefusedWhileTheFirstLivesAndNamesItsAddress(
      MachineTransport transport, Machines machines) {
    FleetCluster cluster = FleetCluster.boot(machines, 1, transport.setting(), "agent_ttl=6s");
    FleetMachine first = cluster.machine(1);
    first.sleeper("mine.service").succeed("start", "mine.service");
    String pid = first.pid("mine.service");

    FleetMachine twin = new FleetMachine(machines.boot());
    twin.configure(cluster.etcd().endpoints(), transport.setting(), "agent_ttl=6s");
    // Only for fleetd: the journal of the rest of the machine goes by its own id.
    twin.machine().write("/root/machine-id", first.machine().id() + "\n");
    twin.dropIn("twin.conf", "[Service]\nBindReadOnlyPaths=/root/machine-id:/etc/machine-id\n");
    twin.machine()
        .succeed(
            "systemctl",
            "enable",
            "/opt/fleet/systemd/fleet.socket",
            "/opt/fleet/systemd/fleet.service");
    twin.machine().succeed("systemctl", "start", "--no-block", "fleet.service");

    twin.machine().awaitJournal("fleetd.*" + first.machine().address());
    twin.machine().succeed("sleep", "5");
    assertThat(first.pid("mine.service")).isEqualTo(pid);
    assertThat(twin.active("mine.service")).isEmpty();
    assertThat(cluster.listed()).isEqualTo(1);
    first.sleeper("next.service").succeed("start", "next.service");
    assertThat(first.active("next.service")).isNotEmpty();
  }
}
