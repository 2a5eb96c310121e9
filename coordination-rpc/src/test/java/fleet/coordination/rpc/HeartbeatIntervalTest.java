package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatIntervalTest {

  @ParameterizedTest
  @CsvSource({"3,1000", "8,2667", "19,6333", "20,8333", "24,10000", "60,25000"})
  void thoseWhoMayBeSilentForLongSpeakLessOften(long ttl, long millis) {
    assertThat(LeaderStream.interval(Duration.ofSeconds(ttl)))
        .isCloseTo(Duration.ofMillis(millis), Duration.ofMillis(1));
  }

  /** Who is well is never silent for half a TTL, and who vanished with others is by their end. */
  @ParameterizedTest
  @ValueSource(longs = {1, 3, 8, 19, 20, 24, 60, 3600})
  void whoIsWellIsToldApartFromWhoVanished(long ttl) {
    Duration interval = LeaderStream.interval(Duration.ofSeconds(ttl));
    Duration half = Duration.ofSeconds(ttl).dividedBy(2);
    assertThat(interval).isLessThan(half);
    assertThat(Duration.ofSeconds(ttl).minus(interval)).isGreaterThan(half);
  }
}
