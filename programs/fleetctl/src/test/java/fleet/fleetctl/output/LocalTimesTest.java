package fleet.fleetctl.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalTimesTest {

  private static final String TIME = "2026-11-25T08:24:38Z";

  private static final String LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")
          .format(Instant.parse(TIME).atZone(ZoneId.systemDefault()));

  @ParameterizedTest
  @ValueSource(strings = {TIME, "2026-11-25T08:24:38.123456Z"})
  void timesInASentenceAreLocal(String time) {
    assertThat(LocalTimes.in("waits until " + time + ", since " + TIME))
        .isEqualTo("waits until " + LOCAL + ", since " + LOCAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"at\":\"" + TIME + "\"}", "backup-" + TIME + ".tar", "2026-99-99T00:00:00Z"})
  void otherTextStays(String text) {
    assertThat(LocalTimes.in(text)).isEqualTo(text);
  }

  @Test
  void dollarsAndBackslashesStay() {
    assertThat(LocalTimes.in("\\$1 " + TIME)).isEqualTo("\\$1 " + LOCAL);
  }
}
