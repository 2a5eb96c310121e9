package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectorTest {

  private static final Map<String, String> MACHINE = Map.of("region", "eu", "gpu", "");

  @ParameterizedTest
  @CsvSource({
    "region=eu, true",
    "region==eu, true",
    "region=us, false",
    "region!=us, true",
    "region!=eu, false",
    "disk!=hdd, true",
    "disk=hdd, false",
    "gpu, true",
    "gpu=, true",
    "disk, false",
    "!disk, true",
    "!gpu, false",
    "'region=eu,gpu,!disk', true",
    "'region = eu, disk', false"
  })
  void allPartsMustHold(String selector, boolean matches) throws InvalidExpressionException {
    assertThat(new Selector(selector).matches(MACHINE)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "region=eu,", "=eu", "!=eu", "!"})
  void aPartWithoutAKeyIsRefused(String selector) {
    assertThatThrownBy(() -> new Selector(selector))
        .isInstanceOf(InvalidExpressionException.class)
        .hasMessageContaining("expect KEY=VALUE");
  }
}
