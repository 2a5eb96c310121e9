package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stands in this package because the options are nobody else's business. */
class OptionsAreDocumentedTest {

  @ParameterizedTest
  @EnumSource(Option.class)
  void theGuideHasARowForTheOption(Option option) throws Exception {
    List<String> rows =
        Files.readAllLines(Path.of("../..", "docs", "guide.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf('`', 3) + 1))
            .toList();
    assertThat(rows).contains("| `" + option.key() + "`");
  }
}
