package fleet.fleetctl.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgesTest {

  private static final Instant NOW = Instant.parse("2026-01-03T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "2026-01-03T00:00:00Z, 0s",
    "2026-01-02T23:59:00.000000001Z, 59s",
    "2026-01-02T23:59:00Z, 1m",
    "2026-01-02T23:00:01Z, 59m",
    "2026-01-02T00:00:01Z, 23h",
    "2026-01-01T00:00:00Z, 2d",
    "2025-01-01T00:00:00Z, 367d",
    "2026-01-03T00:00:05Z, 0s",
    "soon, soon",
    "'', ''"
  })
  void anAgeHasOneUnit(String time, String age) {
    assertThat(Ages.since(time, NOW)).isEqualTo(age);
  }

  @Test
  void fractionsOfASecondCountInTheOrder() {
    List<String> ordered =
        List.of("", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01Z");

    assertThat(ordered.reversed().stream().sorted(Ages.order())).isEqualTo(ordered);
  }
}
