package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.OperatingSystem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Machines without a registry that stop their units when they reach nobody. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JoinedIsolationTest {

  private static final String UNITS = "unit@*";
  private static final List<String> ALL =
      IntStream.rangeClosed(1, 4).mapToObj(i -> "unit@" + i + ".service").toList();

  private final OperatingSystem system;
  private JoinedCluster cluster;

  JoinedIsolationTest(OperatingSystem system) {
    this.system = system;
  }

  @BeforeAll
  void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, system, 2, "agent_ttl=12s", "on_isolation=stop");
  }

  private Members members() {
    return cluster.members();
  }

  /** Two on each machine that has joined, unless one was too busy to keep its own. */
  @BeforeEach
  void startUnits() {
    FleetMachine one = cluster.joined(1);
    one.succeed("cordon", cluster.server().machine().id());
    one.sleeper("unit@.service").succeed("start", "unit@1", "unit@2", "unit@3", "unit@4");
    members().awaitRunning(UNITS, 4, List.of(cluster.joined(1), cluster.joined(2)));
  }

  @Test
  void oneThatIsCutOffHasStoppedItsUnitsBeforeTheyRunElsewhere() {
    boolean first = !cluster.joined(1).active(UNITS).isEmpty();
    FleetMachine cut = cluster.joined(first ? 1 : 2);
    FleetMachine other = cluster.joined(first ? 2 : 1);
    cut.machine().cut();
    members().await("the other runs all of it", () -> other.active(UNITS).size() == 4);
    assertThat(cut.active(UNITS)).isEmpty();
    assertThat(members().runs(ALL)).allMatch(unit -> unit.overlaps().isEmpty());

    cut.machine().join();
    members().awaitListed();
    assertThat(other.active(UNITS)).hasSize(4);
    members().destroyAll();
  }

  @Test
  void withoutTheirServerAllStopTheirsAndStartThemAgainOnceItIsBack() {
    cluster.server().losePower();
    members()
        .await(
            "units have stopped",
            () ->
                cluster.joined(1).active(UNITS).isEmpty()
                    && cluster.joined(2).active(UNITS).isEmpty());
    cluster.server().machine().boot();
    members().awaitListed();
    members().awaitRunning(UNITS, 4, List.of(cluster.joined(1), cluster.joined(2)));
    assertThat(members().runs(ALL)).allMatch(unit -> unit.overlaps().isEmpty());
    members().destroyAll();
  }
}
