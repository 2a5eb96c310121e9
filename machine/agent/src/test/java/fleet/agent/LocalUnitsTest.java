package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitName;
import org.junit.jupiter.api.Test;

class LocalUnitsTest {

  private static final UnitName WEB = UnitName.of("web.service");

  private final LocalUnits units = new LocalUnits(_ -> {});

  @Test
  void workThatEndsHasTheUnitLookedAt() {
    units.occupy(WEB);
    units.touch(WEB);
    assertThat(units.takeTouched()).isEmpty();
    units.release(WEB);
    assertThat(units.takeTouched()).containsExactly(WEB);
    assertThat(units.takeTouched()).isEmpty();
  }

  @Test
  void aUnitWithWhichWorkWentWrongIsLeftAloneUntilItIsWoken() {
    units.occupy(WEB);
    units.rest(WEB);
    units.release(WEB);
    assertThat(units.takeTouched()).isEmpty();
    units.touch(WEB);
    assertThat(units.takeTouched()).isEmpty();
    units.wake(WEB);
    assertThat(units.takeTouched()).containsExactly(WEB);
  }
}
