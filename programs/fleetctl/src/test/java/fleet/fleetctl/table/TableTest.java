package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TableTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 15, 16})
  void oneTabIsEnoughAfterTheWidestCell(int length) {
    Table table = new Table();
    String cell = "x".repeat(length);
    table.row(List.of(cell, "b"));

    assertThat(table.render()).isEqualTo(cell + "\tb\n");
  }

  @ParameterizedTest
  @CsvSource({"6,1", "7,1", "8,2", "14,2", "15,2", "16,3"})
  void shorterCellsTakeAsManyTabsAsItNeeds(int widest, int tabs) {
    Table table = new Table();
    table.row(List.of("x".repeat(widest), "b"));
    table.row(List.of("y", "c"));

    assertThat(table.render()).isEqualTo("x".repeat(widest) + "\tb\ny" + "\t".repeat(tabs) + "c\n");
  }

  @Test
  void alignsShortCellsWithLongOnes() {
    Table table = new Table();
    table.row(List.of("UNIT", "SUB"));
    table.row(List.of("a-long-name.service", "running"));

    assertThat(table.render()).isEqualTo("UNIT\t\t\tSUB\na-long-name.service\trunning\n");
  }

  @Test
  void countsCharactersAndNotBytes() {
    Table table = new Table();
    table.row(List.of("äöüäöüä", "x"));
    table.row(List.of("abcdefg", "x"));

    assertThat(table.render()).isEqualTo("äöüäöüä\tx\nabcdefg\tx\n");
  }

  @Test
  void printsAHeaderOverAnEmptyListAndDashesForWhatIsEmpty() throws Exception {
    Listing<String> listing = new Listing<String>().with("name", text -> text);

    assertThat(listing.render(List.of(), listing.names("name,name"), true))
        .isEqualTo("NAME\tNAME\n");
    assertThat(listing.render(List.of(""), listing.names("name"), false)).isEqualTo("-\n");
  }

  @ParameterizedTest
  @CsvSource({"'',Must define output format", "'name,','Invalid key in output format: \"\"'"})
  void refusesFieldsThatAreNotThere(String fields, String message) {
    Listing<String> listing = new Listing<String>().with("name", text -> text);

    assertThatThrownBy(() -> listing.render(List.of(), listing.names(fields), true))
        .isInstanceOf(InvalidFieldsException.class)
        .hasMessageStartingWith(message);
  }
}
