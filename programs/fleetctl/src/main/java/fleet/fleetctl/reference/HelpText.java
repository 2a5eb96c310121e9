package fleet.fleetctl.reference;

import java.util.ArrayList;
import java.util.List;

/** Help for terminals of 80 columns. */
public final class HelpText {

  private static final int WIDTH = 80;
  private static final String INDENT = "    ";
  private static final int FLAGS = 24;
  private static final int NAMES = 19;
  private static final int CODES = 4;

  private final StringBuilder text = new StringBuilder();

  private HelpText() {}

  /** The help of fleetctl itself. */
  public static String of(Manual manual) {
    HelpText help = new HelpText();
    help.section("NAME:", List.of("fleetctl - " + Manual.SUMMARY));
    help.section("USAGE:", List.of(Manual.CALL));
    help.section("VERSION:", List.of(manual.version()));
    help.section("COMMANDS:", commands(manual));
    help.section("GLOBAL OPTIONS:", flags(manual.globals()));
    help.section("DESCRIPTION:", wrapped(manual.paragraphs()));
    return help.text.toString();
  }

  /** The help of one command. */
  public static String of(CommandPage page, List<Flag> globals) {
    HelpText help = new HelpText();
    help.section("NAME:", LineWrap.lines(page.name() + " - " + page.summary(), width()));
    help.section("USAGE:", usage(page));
    help.section(
        "ALSO:", page.aliases().isEmpty() ? List.of() : List.of(String.join(", ", page.aliases())));
    help.section("DESCRIPTION:", wrapped(page.paragraphs()));
    help.section("OPTIONS:", flags(page.flags()));
    List<String> codes = new ArrayList<>();
    page.exitCodes().forEach((code, meaning) -> codes.addAll(item(code + "", meaning, CODES)));
    help.section("EXIT CODES:", codes);
    help.section("EXAMPLES:", examples(page.examples()));
    help.section("GLOBAL OPTIONS:", flags(globals));
    return help.text.toString();
  }

  private static List<String> commands(Manual manual) {
    List<String> lines = new ArrayList<>();
    for (Manual.Topic topic : manual.topics()) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(topic.title() + ":");
      for (CommandPage page : topic.commands()) {
        lines.addAll(item("  " + page.name(), page.summary(), NAMES));
      }
    }
    return lines;
  }

  private static int width() {
    return WIDTH - INDENT.length();
  }

  private void section(String title, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    text.append(text.isEmpty() ? "" : "\n").append(title).append('\n');
    lines.forEach(line -> text.append((INDENT + line).stripTrailing()).append('\n'));
  }

  /** Each way begins a line; what does not fit goes on below, farther in. */
  private static List<String> usage(CommandPage page) {
    int further = width() - INDENT.length();
    List<String> lines = new ArrayList<>();
    for (String synopsis : page.synopses()) {
      List<String> parts = LineWrap.parts(page.call(synopsis), further);
      lines.addAll(hanging(LineWrap.lines(parts, width(), further), INDENT, ""));
    }
    return lines;
  }

  private static List<String> hanging(List<String> lines, String indent, String end) {
    List<String> hanging = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      hanging.add((i == 0 ? "" : indent) + lines.get(i) + (i < lines.size() - 1 ? end : ""));
    }
    return hanging;
  }

  private static List<String> wrapped(List<String> paragraphs) {
    return paragraphs.stream()
        .flatMap(paragraph -> LineWrap.lines(paragraph, width()).stream())
        .toList();
  }

  private static List<String> flags(List<Flag> flags) {
    List<String> lines = new ArrayList<>();
    flags.forEach(flag -> lines.addAll(item(flag.text(), flag.meaning(), FLAGS)));
    return lines;
  }

  /** Two columns; a first one that is too long has a line of its own. */
  private static List<String> item(String name, String meaning, int column) {
    List<String> lines = new ArrayList<>();
    List<String> right = LineWrap.lines(meaning, width() - column);
    boolean fits = name.length() < column;
    if (!fits) {
      lines.add(name);
    }
    for (int i = 0; i < right.size(); i++) {
      String left = i == 0 && fits ? name : "";
      lines.add(left + " ".repeat(column - left.length()) + right.get(i));
    }
    return lines;
  }

  /** A line that is too long goes on below, as shells take it. */
  private static List<String> examples(List<String> examples) {
    List<String> lines = new ArrayList<>();
    for (String example : examples) {
      if (example.length() <= width()) {
        lines.add(example);
      } else {
        int further = width() - INDENT.length() - 2;
        List<String> parts = LineWrap.parts(example, width());
        lines.addAll(hanging(LineWrap.lines(parts, width() - 2, further), INDENT, " \\"));
      }
    }
    return lines;
  }
}
