package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.bench.scale.BenchTransport;
import fleet.bench.scale.ScaleRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cluster of two servers and many hollow machines, each with the agent of a real one: they join,
 * run what is submitted, fall silent, and follow the next leader. The run ends only when all of it
 * has happened.
 */
class HollowMachinesTest {

  private static final int MACHINES = 40;
  private static final int UNITS = 400;

  @ParameterizedTest
  @EnumSource(names = {"TLS", "STORE"})
  void allUnitsRunAndGoOnElsewhereWhereMachinesOrTheLeaderAreLost(BenchTransport way) {
    Map<String, Double> figures = new HashMap<>();
    Path fleet = Path.of(System.getProperty("fleet.root", "../..")).resolve("target/fleet");

    new ScaleRun(
            fleet,
            MACHINES,
            UNITS,
            way,
            Duration.ofSeconds(8),
            Duration.ofSeconds(3),
            figure -> figures.put(figure.name(), figure.value()))
        .run();

    assertThat(figures)
        .containsKeys(
            "joined",
            "all_running",
            "leader_memory",
            "leader_cpu_at_rest",
            "agent_traffic_at_rest",
            "moved_from_1_lost",
            "moved_from_20_lost",
            "placed_after_leader_lost",
            "new_leader_informed");
    if (way == BenchTransport.TLS) {
      assertThat(figures).containsKey("enrolled").containsEntry("etcd_writes_at_rest", 0.0);
    }
  }
}
