package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two machines with one id. */
@ExtendWith(MachinesExtension.class)
class DuplicateMachineIdTest {

  private static FleetCluster cluster(MachineTransport transport, Machines machines) {
    return FleetCluster.boot(machines, 1, transport.setting(), "agent_ttl=6s");
  }

  /** A machine with the id of the first, before its fleetd starts. */
  private static FleetMachine duplicate(
      FleetCluster cluster, MachineTransport transport, Machines machines) {
    FleetMachine duplicate = new FleetMachine(machines.boot());
    duplicate.configure(cluster.etcd().endpoints(), transport.setting(), "agent_ttl=6s");
    // Only for fleetd: the rest of the machine's journal has its own id.
    duplicate.machine().write("/root/machine-id", cluster.machine(1).machine().id() + "\n");
    duplicate.dropIn(
        "duplicate.conf", "[Service]\nBindReadOnlyPaths=/root/machine-id:/etc/machine-id\n");
    duplicate
        .machine()
        .succeed(
            "systemctl",
            "enable",
            "/opt/fleet/systemd/fleet.socket",
            "/opt/fleet/systemd/fleet.service");
    return duplicate;
  }

  private static void start(FleetMachine duplicate) {
    duplicate.machine().succeed("systemctl", "start", "--no-block", "fleet.service");
  }

  @ParameterizedTest
  @EnumSource
  void theSecondIsRefusedWhileTheFirstLivesAndSaysWhy(
      MachineTransport transport, Machines machines) {
    FleetCluster cluster = cluster(transport, machines);
    FleetMachine first = cluster.machine(1);
    first.sleeper("mine.service").succeed("start", "mine.service");
    String pid = first.pid("mine.service");

    FleetMachine duplicate = duplicate(cluster, transport, machines);
    start(duplicate);

    String why =
        switch (transport) {
          case RPC -> "readmit " + first.machine().id();
          case STORE -> first.machine().address();
        };
    duplicate.machine().awaitJournal("fleetd.*" + why);
    duplicate.machine().succeed("sleep", "5");
    assertThat(first.pid("mine.service")).isEqualTo(pid);
    assertThat(duplicate.active("mine.service")).isEmpty();
    assertThat(cluster.listed()).isEqualTo(1);
    first.sleeper("next.service").succeed("start", "next.service");
    assertThat(first.active("next.service")).isNotEmpty();
  }

  /** It reaches etcd alone, if nothing says that the first one speaks to the leader itself. */
  @Test
  void theSecondHasNoUnitsAlsoWhereItDoesNotReachTheLeader(Machines machines) {
    FleetCluster cluster = cluster(MachineTransport.RPC, machines);
    FleetMachine first = cluster.machine(1);
    first.sleeper("mine.service").succeed("start", "mine.service");
    String pid = first.pid("mine.service");

    FleetMachine duplicate = duplicate(cluster, MachineTransport.RPC, machines);
    duplicate.machine().succeed("ip", "route", "add", "blackhole", first.machine().address());
    start(duplicate);

    duplicate
        .machine()
        .awaitJournal("fleetd.*does not join through the store.*readmit " + first.machine().id());
    duplicate.machine().succeed("sleep", "5");
    assertThat(duplicate.machine().succeed("journalctl", "--no-pager", "--unit=mine.service"))
        .contains("-- No entries --");
    assertThat(first.pid("mine.service")).isEqualTo(pid);
    assertThat(cluster.listed()).isEqualTo(1);
  }
}
