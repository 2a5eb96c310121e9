package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.reference.CommandPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The outputs of every command about one fixed cluster, failures included: see {@link GoldenFile}.
 * To hold another command line, write it into the file of its command: {@code $ fleetctl stop x}.
 * After that, or a change that is meant, run this with -Dgolden.write=true, and read what has
 * changed.
 */
final class GoldenOutputsTest {

  /** An action of a command, such as {@code pause|resume}, but no {@code [list]}. */
  private static final Pattern ACTION = Pattern.compile("[a-z][a-z-]*(\\|[a-z][a-z-]*)*");

  /** Commands whose output is wide on request, or is no table. */
  private static final Pattern TOO_WIDE =
      Pattern.compile(
          "[|] cat$| -o (wide|json|yaml)|--json| --full| --fields"
              + "|fleetctl (apply|audit|completion|journal|plan|rebalance|why)");

  /** Commands that ask no server, or one of their own choice. */
  private static final Set<String> ALONE =
      Set.of("completion", "context", "fd-forward", "help", "login", "version");

  private static final Set<String> SHAPES =
      Set.of("--output", "--json", "--no-legend", "--full", "--fields", "--sort");

  private static final Pattern FORMS =
      Pattern.compile("\\b(table|wide|name|json|yaml|jsonpath|text)\\b");

  /** Scenes, problems, sentences. */
  private static final Pattern SENTENCE =
      Pattern.compile("^[%!] |[.]$|^Logged in |^Machine |^  waits ");

  private final TimeZone zone = TimeZone.getDefault();

  @BeforeEach
  void inUtc() {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
  }

  @AfterEach
  void inTheZoneOfBefore() {
    TimeZone.setDefault(zone);
  }

  static List<String> commands() {
    return CommandNames.ALL;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void outputsAreAsTheyWere(String command, @TempDir Path directory) throws IOException {
    GoldenFile golden = GoldenFile.of(command);
    String now = golden.now(directory);
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden.path(), now);
    }
    assertThat(now)
        .as("%s; if the change is meant, run this with -Dgolden.write=true", golden.path())
        .isEqualTo(Files.readString(golden.path()));
  }

  /** Sentences may be longer; they end with a full stop. */
  @ParameterizedTest
  @MethodSource("commands")
  void tablesFitTheTerminal(String command) throws IOException {
    String line = "";
    for (String text : Files.readAllLines(GoldenFile.FOLDER.resolve(command + ".txt"))) {
      if (text.startsWith("$ ")) {
        line = text;
      } else if (!TOO_WIDE.matcher(line).find() && !SENTENCE.matcher(text).find()) {
        assertThat(text).as(line).hasSizeLessThanOrEqualTo(80);
      }
    }
  }

  /** A new command, or another action of one, is not forgotten. */
  @ParameterizedTest
  @MethodSource("commands")
  void eachActionOfACommandIsHeld(String command) throws IOException {
    List<List<String>> held =
        GoldenFile.of(command).cases().stream().map(GoldenFile.Case::words).toList();
    assertThat(held).anyMatch(words -> words.contains(command));
    // The shells of completion are no actions; bash runs its script elsewhere.
    if (!command.equals("completion")) {
      for (String action : actions(CommandNames.specOf(command))) {
        assertThat(held).as(command).anyMatch(words -> words.contains(action));
      }
    }
  }

  /** Against a fleetd of fleet 1.0, a command works, or says in a line what it lacks there. */
  @ParameterizedTest
  @MethodSource("commandsOfServers")
  void eachCommandIsHeldAgainstFleet1(String command) throws IOException {
    assertThat(GoldenFile.of(command).cases())
        .anyMatch(
            one -> one.scene().contains(GoldenScene.FLEET_1) && one.words().contains(command));
  }

  static List<String> commandsOfServers() {
    return CommandNames.ALL.stream().filter(command -> !ALONE.contains(command)).toList();
  }

  /** Each option that shapes an output, and each form of it. */
  @ParameterizedTest
  @MethodSource("commands")
  void eachFormOfAnOutputIsHeld(String command) throws IOException {
    List<String> words =
        GoldenFile.of(command).cases().stream().flatMap(one -> one.words().stream()).toList();
    for (OptionSpec option : CommandNames.specOf(command).options()) {
      List<String> names = List.of(option.names());
      if (names.stream().anyMatch(SHAPES::contains)) {
        assertThat(words)
            .as("%s %s", command, names)
            .anyMatch(word -> names.contains(word.split("=", 2)[0]));
        forms(option)
            .forEach(form ->
                assertThat(words)
                    .as("%s -o", command)
                    .anyMatch(word -> word.split("=", 2)[0].equals(form)));
      }
    }
  }

  /** The forms of {@code -o}, where they are fleetctl's. */
  private static List<String> forms(OptionSpec option) {
    return List.of(option.names()).contains("--output")
        ? FORMS
            .matcher(option.description()[0].split("[:;]", 2)[0])
            .results()
            .map(MatchResult::group)
            .filter(form -> !form.equals("table") && !form.equals("text"))
            .toList()
        : List.of();
  }

  private static List<String> actions(CommandSpec spec) {
    CommandPage page = Help.page(spec);
    return page.synopses().stream()
        .flatMap(synopsis -> CommandPage.parts(synopsis.replace(" | ", "|")).stream())
        .filter(part -> ACTION.matcher(part).matches())
        .flatMap(part -> Stream.of(part.split("\\|", -1)))
        .toList();
  }
}
