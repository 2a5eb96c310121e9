package fleet.scheduler.example;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import fleet.scheduler.ClusterLayout;
import fleet.scheduler.Decision;
import fleet.scheduler.Demand;
import fleet.scheduler.Scheduler;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExampleRulesTest {

  private final Scheduler scheduler =
      new Scheduler(List.of(new CanaryFilter()), List.of(new Cheapest()));
  private final ClusterLayout layout = new ClusterLayout();

  @BeforeEach
  void threeMachines() {
    put("m1", Map.of("tier", "gold", "price", "7"));
    put("m2", Map.of("price", "12"));
    put("m3", Map.of());
  }

  private void put(String id, Map<String, String> metadata) {
    layout.putMachine(new Machine(id, "boot", "10.0.0.1", metadata, "2.0.0"));
  }

  private Decision choose(String unit) {
    return scheduler.choose(new Demand(UnitName.of(unit), Requirements.NONE), layout);
  }

  @Test
  void theStrategyPrefersWhatIsCheap() {
    assertThat(choose("web.service"))
        .isInstanceOfSatisfying(
            Decision.Placed.class,
            placed -> {
              assertThat(placed.machine()).isEqualTo("m1");
              assertThat(placed.text())
                  .startsWith("cheapest of the machines that fit: 7 cents an hour");
            });
  }

  @Test
  void theFilterKeepsCanariesAway() {
    assertThat(choose("canary-web.service"))
        .isInstanceOfSatisfying(
            Decision.Placed.class, placed -> assertThat(placed.machine()).isEqualTo("m2"));
    layout.removeMachine("m2");
    layout.removeMachine("m3");
    assertThat(choose("canary-web.service"))
        .isInstanceOfSatisfying(
            Decision.Unplaceable.class,
            nowhere -> assertThat(nowhere.text()).contains("of tier gold, which takes no canary"));
  }
}
