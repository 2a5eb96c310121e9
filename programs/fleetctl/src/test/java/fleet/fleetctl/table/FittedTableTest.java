package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FittedTableTest {

  private static final List<List<String>> ROWS =
      List.of(
          List.of("UNIT", "MACHINE", "METADATA"),
          List.of("a-unit-with-a-name.service", "node1.example.com", "region=eu,disk=ssd,rack=r1"),
          List.of("b.service", "n2", ""));

  @Test
  void columnsHaveTwoBlanksBetween() {
    FittedTable table = new FittedTable(ROWS, 80);

    assertThat(table.isShortened()).isFalse();
    assertThat(table.render())
        .isEqualTo(
            """
            UNIT                        MACHINE            METADATA
            a-unit-with-a-name.service  node1.example.com  region=eu,disk=ssd,rack=r1
            b.service                   n2                \s
            """);
  }

  @Test
  void theWidestAreShortenedAndTheFirstIsNot() {
    FittedTable table = new FittedTable(ROWS, 60);

    assertThat(table.isShortened()).isTrue();
    assertThat(table.render())
        .isEqualTo(
            """
            UNIT                        MACHINE          METADATA
            a-unit-with-a-name.service  node1.example.…  region=eu,disk…
            b.service                   n2              \s
            """);
  }

  @ParameterizedTest
  @ValueSource(ints = {46, 50, 60, 73, 80, Integer.MAX_VALUE})
  void noLineIsLongerThanTheTerminalIsWide(int width) {
    assertThat(new FittedTable(ROWS, width).render().lines())
        .allMatch(line -> line.codePointCount(0, line.length()) <= width);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40})
  void aTerminalThatIsTooNarrowGetsReadableColumns(int width) {
    assertThat(new FittedTable(ROWS, width).render())
        .contains("a-unit-with-a-name.service  node1.e…  region=…\n");
  }

  @Test
  void charactersCountAndNotBytes() {
    List<List<String>> rows = List.of(List.of("A", "B"), List.of("x", "äöüäöüäöü\uD83D\uDE00ü"));

    assertThat(new FittedTable(rows, 12).render()).isEqualTo("A  B\nx  äöüäöüäö…\n");
    assertThat(new FittedTable(rows, 14).render()).contains("x  äöüäöüäöü\uD83D\uDE00ü\n");
    assertThat(new FittedTable(List.of(), 80).render()).isEmpty();
  }
}
