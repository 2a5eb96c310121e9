package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.reference.CommandPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;

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
          "[|] cat$| -o wide| --full|fleetctl (apply|audit|completion|journal|plan|rebalance|why)");

  /** Scenes, problems, sentences. */
  private static final Pattern SENTENCE = Pattern.compile("^[%!] |[.]$|^Machine |^  waits ");

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

  private static List<String> actions(CommandSpec spec) {
    CommandPage page = Help.page(spec);
    return page.synopses().stream()
        .flatMap(synopsis -> CommandPage.parts(synopsis.replace(" | ", "|")).stream())
        .filter(part -> ACTION.matcher(part).matches())
        .flatMap(part -> Stream.of(part.split("\\|", -1)))
        .toList();
  }
}
