package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "30s, PT30S",
    "500ms, PT0.5S",
    "1m30s, PT1M30S",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "2.s, PT2S",
    "1h2m3s4ms5us6ns, PT1H2M3.004005006S",
    "7µs, PT0.000007S",
    "7μs, PT0.000007S",
    "1s1s, PT2S",
    "0s, PT0S",
    "9223372036854775807ns, PT2562047H47M16.854775807S",
  })
  void sumOfNumbersWithUnitsIsRead(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "30",
        "s",
        "30 s",
        "30sec",
        "30S",
        "1d",
        "-5s",
        "+5s",
        "1m 30s",
        "1m30",
        ".s",
        "1,5s",
        "PT30S",
        "9223372036854775808ns",
        "3000000h"
      })
  void everythingElseIsRefused(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
