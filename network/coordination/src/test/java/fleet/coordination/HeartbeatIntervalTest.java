package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatIntervalTest {

  @ParameterizedTest
  @CsvSource({
    "PT2S, PT0.5S",
    "PT3S, PT0.5S",
    "PT5S, PT1S",
    "PT6S, PT2S",
    "PT18S, PT6S",
    "PT24S, PT10S"
  })
  void aShortTtlLeavesTimeForARestartAndALongOneIsUsed(Duration ttl, Duration interval) {
    assertThat(HeartbeatInterval.of(ttl)).isEqualTo(interval);
  }

  /** A healthy machine is never silent for half a TTL, unlike one that vanished with others. */
  @ParameterizedTest
  @ValueSource(longs = {2, 3, 6, 8, 19, 20, 24, 60, 3600})
  void whoIsWellIsToldApartFromWhoVanished(long seconds) {
    Duration ttl = Duration.ofSeconds(seconds);
    assertThat(HeartbeatInterval.of(ttl)).isLessThan(ttl.dividedBy(2));
  }

  @ParameterizedTest
  @CsvSource({"PT0.5S, PT0.5S", "PT6S, PT2.4S", "PT30S, PT12S"})
  void anAnswerIsWaitedForAsLongAsTheTtlSays(Duration ttl, Duration patience) {
    assertThat(HeartbeatInterval.patience(ttl)).isEqualTo(patience);
    assertThat(HeartbeatInterval.untilNoticed(ttl))
        .isEqualTo(HeartbeatInterval.of(ttl).plus(patience));
  }
}
