package fleet.core.unit;

import fleet.core.unit.LogicalLines.LogicalLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One pass over the text of a unit file. */
final class UnitFileParser {

  private static final String REFUSED_IN_SECTIONS = "\"'\\\u007F";

  private final LogicalLines lines;
  private final List<UnitOption> options = new ArrayList<>();
  private @Nullable String section;

  UnitFileParser(String text) throws UnitFileSyntaxException {
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      int line = 1 + (int) text.chars().limit(nul).filter(c -> c == '\n').count();
      throw new UnitFileSyntaxException(line, "NUL character: this is not a text file");
    }
    lines = new LogicalLines(text);
  }

  List<UnitOption> parse() throws UnitFileSyntaxException {
    for (Optional<LogicalLine> line = lines.next(); line.isPresent(); line = lines.next()) {
      read(line.get());
    }
    return options;
  }

  private void read(LogicalLine line) throws UnitFileSyntaxException {
    String text = Blanks.trim(Continuation.join(line.text()));
    if (looksEmpty(text)) {
      return;
    }
    if (!Characters.areAccepted(text)) {
      throw problem(line, "not UTF-8: systemd would refuse the file");
    }
    if (text.startsWith("[")) {
      section = sectionName(line, text).intern();
    } else if (section != null) {
      options.add(option(line, section, text));
    }
    // Like systemd, this takes no offence at the lines before the first section.
  }

  /** systemd passes over a line of nothing but blanks of any kind. */
  private static boolean looksEmpty(String text) {
    return text.chars().allMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c));
  }

  private static String sectionName(LogicalLine line, String text) throws UnitFileSyntaxException {
    int bracket = text.indexOf(']');
    if (bracket < 0) {
      throw problem(line, "unable to find end of section " + text);
    }
    String name = text.substring(1, bracket);
    String rest = Blanks.trim(text.substring(bracket + 1));
    if (!rest.isEmpty()) {
      throw problem(line, "found garbage after section name [" + name + "]: \"" + rest + "\"");
    }
    if (name.chars().anyMatch(c -> c < ' ' || REFUSED_IN_SECTIONS.indexOf(c) >= 0)) {
      throw problem(
          line,
          "section name [%s] has a quote, a backslash or a control character: systemd would refuse the file"
              .formatted(name));
    }
    return name;
  }

  private static UnitOption option(LogicalLine line, String section, String text)
      throws UnitFileSyntaxException {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw problem(
          line,
          "unexpected %s while parsing option name: \"%s\" has no \"=\""
              .formatted(line.isLast() ? "end of file" : "newline encountered", text));
    }
    String name = Blanks.trim(text.substring(0, equals));
    String value = Continuation.trim(Continuation.behindEquals(line.text()));
    return new UnitOption(section, name, Characters.replaceRefused(value)).interned();
  }

  private static UnitFileSyntaxException problem(LogicalLine line, String problem) {
    return new UnitFileSyntaxException(line.number(), problem);
  }
}
