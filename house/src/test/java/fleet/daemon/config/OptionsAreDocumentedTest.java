package fleet.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stands in this package because the options are nobody else's business. */
class OptionsAreDocumentedTest {

  @ParameterizedTest
  @EnumSource(Option.class)
  void theGuideHasARowForTheOption(Option option) throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "guide.md")))
        .containsPattern("(?m)^\\| `" + option.key() + "`");
  }
}
