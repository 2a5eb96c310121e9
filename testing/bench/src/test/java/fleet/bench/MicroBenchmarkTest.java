package fleet.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicroBenchmarkTest {

  @ParameterizedTest
  @CsvSource({"parse, parse", "parseAndHash, parse_and_hash", "chooseIn2Zones, choose_in2_zones"})
  void namesOfMethodsBecomeNamesOfFigures(String method, String figure) {
    assertThat(MicroBenchmark.snakeCase(method)).isEqualTo(figure);
  }
}
