package fleet.registry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import fleet.registry.RegistryException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {

  private static final UnitName WEB = UnitName.of("web@1.service");

  @Test
  void aKeyNamesWhatItWasMadeOf() {
    String schedule = Keys.schedule("m1", WEB);
    assertThat(schedule).isEqualTo("schedule/m1/web@1.service").startsWith(Keys.schedules("m1"));
    assertThat(Keys.machineOf(schedule)).isEqualTo("m1");
    assertThat(Keys.machineOf(Keys.settings("m1"))).isEqualTo("m1");
    OperationId rollout = OperationId.rollout(WEB);
    assertThat(Keys.operation(rollout)).isEqualTo("operation/rollout-web@1.service");
    assertThat(Keys.operationOf(Keys.operation(rollout))).isEqualTo(rollout);
    OperationId restart = OperationId.restart(WEB);
    assertThat(Keys.operationOf(Keys.operation(restart))).isEqualTo(restart);
    assertThat(List.of(Keys.unit(WEB), Keys.placement(WEB), Keys.global(WEB), schedule))
        .allSatisfy(key -> assertThat(Keys.unitOf(key)).isEqualTo(WEB));
  }

  @Test
  void aKeyThatNamesNothingIsRefused() {
    assertThatThrownBy(() -> Keys.unitOf("unit/no unit"))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("key unit/no unit of the registry does not name a unit: ");
    for (String key : List.of("schedule/m1", "unit/web.service")) {
      assertThatThrownBy(() -> Keys.machineOf(key))
          .isInstanceOf(RegistryException.class)
          .hasMessage("key " + key + " of the registry does not name a machine");
    }
    for (String key : List.of("unit/web.service", "operation/rollout/web.service")) {
      assertThatThrownBy(() -> Keys.operationOf(key))
          .isInstanceOf(RegistryException.class)
          .hasMessage("key " + key + " of the registry does not name an operation");
    }
  }
}
