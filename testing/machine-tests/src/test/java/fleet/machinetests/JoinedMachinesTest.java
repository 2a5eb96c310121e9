package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.SharedMachines;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands and lists on machines that have joined a server. */
@ExtendWith(MachinesExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class JoinedMachinesTest {

  private static JoinedCluster cluster;

  @BeforeAll
  static void three(SharedMachines machines) {
    cluster = machines.joined();
  }

  private static Members members() {
    return cluster.members();
  }

  /** With Java's own all would work as well, and cost a leader of thousands twice as much. */
  @Test
  void machinesSpeakNativeTlsAndWaitForItNatively() {
    for (FleetMachine one : members().machines()) {
      assertThat(one.machine().read("/proc/" + one.pid("fleet.service") + "/maps"))
          .contains("/opt/fleet/lib/native/libnetty_tcnative")
          .contains("/opt/fleet/lib/native/libnetty_transport_native_epoll");
    }
  }

  @Test
  void anyMachineTellsOfAllUnitsAndMachines() {
    cluster.joined(1).sleeper("told@.service", "MaxPerMachine=1");
    List<String> units = List.of("told@1.service", "told@2.service", "told@3.service");
    cluster.joined(1).succeed("start", "told@1", "told@2", "told@3");
    assertThat(members().spread("told@*")).containsExactly(1, 1, 1);
    members().machines().forEach(one -> one.machine().syncJournal());
    for (FleetMachine one : members().machines()) {
      assertThat(one.succeed("list-machines", "--no-legend").lines()).hasSize(3);
      assertThat(one.succeed("list-units", "--no-legend").lines())
          .filteredOn(line -> line.startsWith("told@"))
          .hasSize(units.size())
          .allMatch(line -> line.contains("running"));
      assertThat(one.succeed("status", "told@1", "told@2", "told@3").split("active \\(running\\)"))
          .hasSize(4);
      assertThat(one.get("/units/told@1.service/status?colour=true"))
          .as("colours, and no links to files of another machine")
          .contains("\u001b[0;1;32m")
          .doesNotContain("\u001b]8;");
      assertThat(one.succeed("journal", "told@*").lines())
          .filteredOn(line -> line.contains("Started"))
          .hasSize(units.size());
      assertThat(one.succeed("top", "--no-legend").lines()).hasSize(3);
    }
  }

  @Test
  void anyMachineTakesCommands() {
    for (FleetMachine one : members().machines()) {
      one.sleeper("extra.service").succeed("start", "extra.service");
      one.succeed("stop", "extra.service");
      assertThat(members().running("extra.service")).isEmpty();
      one.succeed("start", "extra.service");
      assertThat(members().whereRunning("extra.service")).hasSize(1);
      one.succeed("cat", "extra.service");
      one.succeed("destroy", "extra.service");
      assertThat(members().running("extra.service")).isEmpty();
    }
  }

  @Test
  void anyMachineMakesListsAndRevokesTokens() {
    FleetMachine one = cluster.joined(2);
    String id = one.succeed("token", "create", "--ttl=10m").split("-", -1)[2];

    assertThat(cluster.server().succeed("token", "list")).contains(id);
    assertThat(one.succeed("token", "list")).contains(id);
    assertThat(one.succeed("token", "revoke", id)).contains("Revoked token " + id);
    assertThat(cluster.server().succeed("token", "list")).doesNotContain(id);
    assertThat(one.fleetctl("token", "create", "--role=server").stderr())
        .contains("tokens for servers are made on servers");
  }
}
