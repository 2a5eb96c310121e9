package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
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
    assertThat(left(all, count)).isEqualTo(left.replace('|', '\n'));
  }

  /** Everybody who may read journals may ask for them. */
  @Test
  void nobodyFillsTheMemoryWithLongLines() throws Exception {
    String whole = "x".repeat(NewestLines.MOST_BYTES / 2 - 2) + "\n";
    byte[] three = (whole + whole + whole).getBytes(UTF_8);
    byte[] longer = ("x".repeat(2 * NewestLines.MOST_BYTES) + "\nlast\n").getBytes(UTF_8);
    assertThat(left(three)).isEqualTo(whole + whole);
    assertThat(left(longer)).isEqualTo("last\n");
    assertThat(left("x".repeat(2 * NewestLines.MOST_BYTES).getBytes(UTF_8)))
        .hasSize(NewestLines.MOST_BYTES);
  }

  private static String left(byte[] text) throws IOException {
    return left(text, 10);
  }

  private static String left(byte[] text, int count) throws IOException {
    NewestLines lines = new NewestLines(new ByteArrayInputStream(text), count);
    String left = new String(lines.next(), UTF_8);
    assertThat(lines.next()).isEmpty();
    return left;
  }
}
