package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetctl.command.Terminal.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/** Every option and every command with values that nobody means, while no fleetd is there. */
final class WrongValuesTest {

  private static final List<String> VALUES =
      List.of("x", "10x", "-1", "", "1e9", "NaN", "99999999999999999999", "\u00e9", "a b", "\t");

  private static final List<String> WORDS =
      List.of("-", ".", "/", "..", "a b", "\u00e9.service", "folder", "folder/", "web@.container");

  /** Words that only mean something to those who know what fleetctl is written in. */
  private static final Pattern OF_JAVA =
      Pattern.compile(
          "Exception|javax?\\.|sun\\.|\\bnull\\b|Optional|<[a-z]+[A-Z]\\w*>"
              + "|\\ban? (int|long|double|float|boolean)\\b");

  @TempDir Path directory;

  @BeforeEach
  void makeFolder() throws Exception {
    Files.createDirectory(directory.resolve("folder"));
  }

  static Stream<String> commands() {
    return CommandNames.ALL.stream();
  }

  private Ran run(String... arguments) {
    return new Terminal(directory, directory.resolve("nobody.sock")).run(arguments);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noOptionSpeaksOfJava(String command) {
    for (OptionSpec option : optionsOf(command)) {
      for (String value : VALUES) {
        assertPlain(run(command, option.longestName() + "=" + value));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noArgumentSpeaksOfJava(String command) {
    for (String word : WORDS) {
      assertPlain(run(command, word));
      assertPlain(run(command, "x", word));
    }
  }

  /**
   * Those that all commands have are tried with one. A tunnel is not tried: ssh would look for the
   * host.
   */
  private static List<OptionSpec> optionsOf(String command) {
    Set<String> common =
        CommandNames.specOf("version").options().stream()
            .map(OptionSpec::longestName)
            .filter(_ -> !command.equals("list-units"))
            .collect(Collectors.toSet());
    return CommandNames.specOf(command).options().stream()
        .filter(option -> !common.contains(option.longestName()))
        .filter(option -> !option.longestName().equals("--tunnel"))
        .toList();
  }

  private static void assertPlain(Ran ran) {
    assertThat(ran.code()).as("%s", ran).isIn(0, 1, 2, 255);
    assertThat(ran.err()).doesNotContainPattern(OF_JAVA);
    if (ran.code() == ExitCode.USAGE) {
      assertThat(ran.err()).contains("--help' for usage.");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "rollout --healthy=10x a|'--healthy': '10x' is not a duration: write one such as 10s, 5m or 1h30m",
        "top --interval=x|'--interval': 'x' is not a duration",
        "list-units --request-timeout=soon|'--request-timeout': 'soon' is not a duration",
        "start --block-attempts=x a|'--block-attempts': 'x' is not a whole number up to 2147483647",
        "start --block-attempts=9999999999 a|is not a whole number up to 2147483647",
        "token --uses=many|'--uses': 'many' is not a whole number",
        "list-units --debug=maybe|'maybe' is neither true nor false",
      })
  void aWrongValueIsToldWithTheFormThatIsRight(String command, String text) {
    Ran ran = run(command.split(" ", -1));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(text).hasLineCount(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "1..2", "-1", "1.2.3", "1h 30m", "0x10", "10d5"})
  void nothingElseIsATime(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .hasMessageContaining("is not a duration");
  }

  @Test
  void durationsAndNumbersOfSecondsAreTimes() {
    DurationConverter times = new DurationConverter();
    assertThat(times.convert("0.3")).isEqualTo(Duration.ofMillis(300));
    assertThat(times.convert(".5")).isEqualTo(Duration.ofMillis(500));
    assertThat(times.convert("2.")).isEqualTo(Duration.ofSeconds(2));
    assertThat(times.convert("1.2349")).isEqualTo(Duration.ofMillis(1234));
    assertThat(times.convert("999999999999")).isEqualTo(Duration.ofSeconds(999_999_999_999L));
    assertThat(times.convert("30")).isEqualTo(Duration.ofSeconds(30));
    assertThat(times.convert("1h30m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(times.convert("10d")).isEqualTo(Duration.ofDays(10));
    assertThat(times.convert("500ms")).isEqualTo(Duration.ofMillis(500));
  }
}
