package fleet.fleetctl.reference;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Help;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All forms of the reference, of all commands. */
class ReferenceTest {

  private static final int WIDTH = 80;

  static List<CommandPage> pages() {
    return Help.manual().commands();
  }

  // ---- help

  static Stream<String> helps() {
    Manual manual = Help.manual();
    return Stream.concat(
        Stream.of(HelpText.of(manual)),
        pages().stream().map(page -> HelpText.of(page, manual.globals())));
  }

  @ParameterizedTest
  @MethodSource("helps")
  void helpFits80Columns(String help) {
    assertThat(help.lines()).allMatch(line -> line.length() <= WIDTH && !line.contains("\t"));
  }

  /** A bar between two ways would be taken for a pipe. */
  @ParameterizedTest
  @MethodSource("pages")
  void eachWayToCallACommandIsALine(CommandPage page) {
    String help = HelpText.of(page, List.of());
    String usage =
        help.substring(help.indexOf("USAGE:"), help.indexOf("\n\n", help.indexOf("USAGE:")));
    List<String> begun =
        usage.lines().skip(1).filter(line -> !line.startsWith("        ")).toList();
    assertThat(begun)
        .hasSameSizeAs(page.synopses())
        .allMatch(line -> line.startsWith("    fleetctl " + page.name()));
  }

  @Test
  void waysAreToldApartAndTheirOptionsAreNot() {
    assertThat(page("config").synopses())
        .contains("get NAME", "set NAME VALUE", "unset NAME")
        .hasSize(4);
    assertThat(page("plan").synopses())
        .hasSizeGreaterThan(3)
        .noneMatch(it -> it.contains("fleetctl"));
    assertThat(page("stop").synopses()).hasSize(1);
    assertThat(page("version").synopses()).containsExactly("");
  }

  private static CommandPage page(String name) {
    return pages().stream().filter(page -> page.name().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a bb ccc|4|a bb/ccc",
        "aaaaaa b|4|aaaaaa/b",
        "a|4|a",
      })
  void linesBreakBetweenWords(String text, int width, String lines) {
    assertThat(LineWrap.lines(text, width)).containsExactly(lines.split("/"));
  }

  @Test
  void whatIsInBracketsStaysTogether() {
    assertThat(LineWrap.parts("start [--a=B | --c] 'x y' UNIT...", 20))
        .containsExactly("start", "[--a=B | --c]", "'x y'", "UNIT...");
  }

  // ---- the document

  @Test
  void theDocumentIsThatOfTheCommands() throws Exception {
    assertThat(Files.readString(Path.of("../..", "docs", "cli.md")))
        .as("docs/cli.md is stale: run ./dev docs")
        .isEqualTo(MarkdownPage.of(Help.manual()));
  }

  @Test
  void theDocumentHasEveryFlagAndExitCode() {
    String document = MarkdownPage.of(Help.manual());
    for (CommandPage page : pages()) {
      String section = document.substring(document.indexOf("\n## " + page.name() + "\n"));
      page.flags().forEach(flag -> assertThat(section).contains("| `" + flag.text() + "` |"));
      page.exitCodes().keySet().forEach(code -> assertThat(section).contains("| " + code + " |"));
    }
  }

  // ---- manual pages

  @ParameterizedTest
  @MethodSource("pages")
  void aManualPageHasNoLineThatManTakesForAMacro(CommandPage page) {
    String manual = ManPage.of(page, "2.0.0");
    assertThat(manual).startsWith(".TH FLEETCTL\\-").contains("\n.SH SYNOPSIS\n");
    assertThat(manual.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
        .allMatch(line -> line.matches("\\.(TH|SH|PP|TP|nf|fi|nh|ad|BR)( .*)?"));
    page.flags().forEach(flag -> assertThat(manual).contains(flag.text().replace("-", "\\-")));
  }

  @Test
  void whatManWouldReadIsEscaped() {
    CommandPage page =
        new CommandPage(
            "x",
            "sum",
            List.of(),
            List.of(""),
            List.of(".SH it's \\n"),
            List.of(),
            Map.of(),
            List.of("'a' -b"));
    assertThat(ManPage.of(page, "2"))
        .contains("\n\\&.SH it\\(aqs \\en\n")
        .contains("\n\\(aqa\\(aq \\-b\n");
  }
}
