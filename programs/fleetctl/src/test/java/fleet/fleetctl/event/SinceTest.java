package fleet.fleetctl.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZonedDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SinceTest {

  private static final ZonedDateTime NOW =
      ZonedDateTime.parse("2026-03-01T15:00:00+01:00[Europe/Berlin]");

  @ParameterizedTest
  @CsvSource({
    "10m, 10m",
    "1d2h3m4s5ms, 1d2h3m4s5ms",
    "all, all",
    "now, 2026-03-01T14:00:00Z",
    "today, 2026-02-28T23:00:00Z",
    "yesterday, 2026-02-27T23:00:00Z",
    "14:30, 2026-03-01T13:30:00Z",
    "2026-02-28, 2026-02-27T23:00:00Z",
    "2026-02-28 10:00:00, 2026-02-28T09:00:00Z",
    "2026-02-28T10:00:00.5, 2026-02-28T09:00:00.500Z",
    "2026-02-28T10:00:00Z, 2026-02-28T10:00:00Z",
    "2026-02-28 10:00:00+02:00, 2026-02-28T08:00:00Z",
  })
  void timesAreReadInTheZoneOfTheUser(String text, String query) {
    assertThat(SinceOption.parse(text, NOW)).contains(new SinceOption(query, ""));
  }

  @Test
  void anEventIsNamedByItsId() {
    assertThat(SinceOption.parse("5f0c-aa.17", NOW)).contains(new SinceOption("", "5f0c-aa.17"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomorrow", "5", "5x", "25:00", "2026-13-01", ".5", "a.b"})
  void whatIsNoTimeIsRefused(String text) {
    assertThat(SinceOption.parse(text, NOW)).isEqualTo(Optional.empty());
  }
}
