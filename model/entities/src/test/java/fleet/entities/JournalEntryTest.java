package fleet.entities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JournalEntryTest {

  private static JournalEntry parse(String line) throws InvalidJsonException {
    return JournalEntry.parse(line.getBytes(UTF_8));
  }

  @Test
  void anEntryIsReadAsJournalctlWritesIt() throws InvalidJsonException {
    JournalEntry entry =
        parse(
            """
            {"__CURSOR":"s=1;i=2","__REALTIME_TIMESTAMP":"1795222279375916","PRIORITY":"6",\
            "MESSAGE":"said \\"so\\"\\tand \\u00e9 in C:\\\\x","_PID":"7"}\
            """);

    assertThat(entry.cursor()).isEqualTo("s=1;i=2");
    assertThat(entry.realtimeMicros()).isEqualTo(1_795_222_279_375_916L);
    assertThat(entry.field("MESSAGE")).contains("said \"so\"\tand \u00e9 in C:\\x");
    assertThat(entry.field("OTHER")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"MESSAGE\" : \"with blanks\" , \"A\" : \"b\"}|with blanks",
        "{\"MESSAGE\":[104,195,169,33]}|h\u00e9!",
        "{\"MESSAGE\":[\"first\",\"second\"]}|first",
        "{\"MESSAGE\":[[104,105],\"second\"]}|hi",
        "{\"MESSAGE\":5}|5",
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void messagesComeInSeveralShapes(String line, String message) throws InvalidJsonException {
    assertThat(parse(line).field("MESSAGE")).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"MESSAGE\":null}", "{}", "{\"MESSAGE\":[]}"})
  void aMessageNeedNotBeThere(String line) throws InvalidJsonException {
    JournalEntry entry = parse(line);
    assertThat(entry.field("MESSAGE")).isEmpty();
    assertThat(entry.cursor()).isEmpty();
    assertThat(entry.realtimeMicros()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-- cursor: s=1",
        "[]",
        "{\"a\"}",
        "{\"a\":\"b\"",
        "{\"a\":\"b",
        "{\"a\":\"\\u00",
        "{\"a\":{\"b\":1}}",
        "{\"a\":[300000000000]}",
        "{\"a\":[1",
        "{\"a\":\"b\"} {",
        "{\"a\":\"b\"}{\"c\":1}"
      })
  void whatIsNoEntryIsRefused(String line) {
    assertThatThrownBy(() -> parse(line)).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void aLongMessageIsRead() throws InvalidJsonException {
    String long40k = "x".repeat(40_000);
    assertThat(parse("{\"MESSAGE\":\"" + long40k + "\"}").field("MESSAGE")).contains(long40k);
  }

  /** A machine may be somebody's: it must not bring down the server that merges its journal. */
  @Test
  void deepOrHugeValuesAreRefusedOrHarmless() throws InvalidJsonException {
    String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertThatThrownBy(() -> parse(deep)).isInstanceOf(InvalidJsonException.class);
    assertThat(parse("{\"a\":1e999999999}").field("a")).contains("1e999999999");
  }
}
