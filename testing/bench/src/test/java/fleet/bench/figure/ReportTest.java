package fleet.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {

  private final List<String> lines = new ArrayList<>();
  private final Report report = new Report("example", lines::add);

  @Test
  void tellsEachFigureAsItComes() {
    report.add("first_thing", 1.5, "s");
    assertThat(lines).containsExactly("first_thing 1.5 s");
    report.add("second", 2, "ratio");
    assertThat(lines).containsExactly("first_thing 1.5 s", "second 2 ratio");
  }

  @Test
  void writesTheSameAsJson() {
    report.add("first_thing", 0.25, "s");
    report.add("second", 12, "MB");
    assertThat(report.json())
        .isEqualTo(
            """
            {
              "benchmark": "example",
              "figures": [
                {"name": "first_thing", "value": 0.25, "unit": "s"},
                {"name": "second", "value": 12, "unit": "MB"}
              ]
            }
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "1234567, 1235000",
    "0.00012345, 0.0001234",
    "100, 100",
    "0, 0",
    "1.99996, 2",
    "-0.5, -0.5"
  })
  void showsFourDigitsThatMatter(double value, String shown) {
    assertThat(new Figure("x", value, "s").shownValue()).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "with-dash", "two words", "_led", "trail_", "9lives"})
  void refusesNamesThatAreNotSnakeCase(String name) {
    assertThatThrownBy(() -> report.add(name, 1, "s")).hasMessageContaining("snake_case");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWhatIsNoNumber(double value) {
    assertThatThrownBy(() -> report.add("x", value, "s")).hasMessageContaining("not a number");
  }

  @Test
  void refusesUnitsThatAreNotOneWord() {
    assertThatThrownBy(() -> report.add("x", 1, "")).hasMessageContaining("not a unit");
    assertThatThrownBy(() -> report.add("x", 1, "m s")).hasMessageContaining("not a unit");
  }

  @Test
  void refusesASecondFigureOfTheSameName() {
    report.add("x", 1, "s");
    assertThatThrownBy(() -> report.add("x", 2, "s")).hasMessage("a second figure named x");
    assertThat(report.figures()).containsExactly(new Figure("x", 1, "s"));
  }
}
