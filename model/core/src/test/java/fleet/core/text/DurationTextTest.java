package fleet.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({"90s,PT90S", "1h30m,PT90M", "7d,P7D", "5ms,PT0.005S", "1m1ms,PT1M0.001S", "0s,PT0S"})
  void partsAddUp(String text, Duration duration) {
    assertThat(DurationText.parse(text)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "h", "5m5", "-1h", "1 h", "1y", "1234567890s"})
  void anythingElseIsNone(String text) {
    assertThat(DurationText.parse(text)).isEmpty();
  }
}
