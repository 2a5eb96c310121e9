package fleet.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {

  @Test
  void theMedianIsTheMiddleOneInWhateverOrderTheyCame() {
    assertThat(new Samples(9, 1, 5).median()).isEqualTo(5);
    assertThat(new Samples(7).median()).isEqualTo(7);
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    assertThat(new Samples(4, 1, 3, 100).median()).isEqualTo(3.5);
  }

  @ParameterizedTest
  @CsvSource({"20, 95, 19", "25, 95, 24", "100, 95, 95", "1, 95, 1", "4, 50, 2", "10, 100, 10"})
  void aPercentileIsOneOfTheMeasurements(int count, int percent, double expected) {
    Samples samples = new Samples(IntStream.rangeClosed(1, count).asDoubleStream().toArray());
    assertThat(samples.percentile(percent)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0", "-5", "101"})
  void thereIsNoPercentileOutsideOfAHundred(int percent) {
    Samples samples = new Samples(1, 2);
    assertThatThrownBy(() -> samples.percentile(percent))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void extremesAndCount() {
    Samples samples = Samples.of(List.of("aaa", "a", "aa"), String::length);
    assertThat(samples.min()).isEqualTo(1);
    assertThat(samples.max()).isEqualTo(3);
    assertThat(samples.count()).isEqualTo(3);
  }

  @Test
  void nothingMeasuredIsAnErrorAndNotZero() {
    assertThatThrownBy(Samples::new).hasMessage("nothing was measured");
  }

  @Test
  void laterChangesOfTheGivenValuesDoNotMatter() {
    double[] values = {1, 2, 3};
    Samples samples = new Samples(values);
    values[1] = 100;
    assertThat(samples.median()).isEqualTo(2);
  }
}
