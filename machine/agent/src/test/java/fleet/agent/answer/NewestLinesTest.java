package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewestLinesTest {

  @ParameterizedTest
  @CsvSource({
    "'', 2, ''",
    "'a|', 2, 'a|'",
    "'a|b|c|', 2, 'b|c|'",
    "'a|b|c|-- cursor: x|', 2, 'b|c|-- cursor: x|'",
    "'a|b|-- cursor: x', 1, 'b|-- cursor: x'",
    "'a|b|-- cursor: x|', 0, '-- cursor: x|'"
  })
  void theLastLinesAreLeftAndTheCursorBehindThem(String text, int count, String left)
      throws Exception {
    byte[] all = text.replace('|', '\n').getBytes(UTF_8);
    try (NewestLines lines = new NewestLines(new ByteArrayInputStream(all), count)) {
      assertThat(new String(lines.readAllBytes(), UTF_8)).isEqualTo(left.replace('|', '\n'));
    }
  }
}
