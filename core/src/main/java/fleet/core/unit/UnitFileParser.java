package fleet.core.unit;

import java.util.ArrayList;
import java.util.List;

/** One pass over the text of a unit file. Line ends are those of Unix and of Windows. */
final class UnitFileParser {

  private final String text;
  private final List<UnitOption> options = new ArrayList<>();
  private String section = "";
  private int position;

  UnitFileParser(String text) throws UnitFileSyntaxException {
    this.text = text.replace("\r\n", "\n");
    int nul = this.text.indexOf('\0');
    if (nul >= 0) {
      throw new UnitFileSyntaxException(lineAt(nul), "NUL character: this is not a text file");
    }
  }

  List<UnitOption> parse() throws UnitFileSyntaxException {
    if (text.startsWith("\uFEFF")) {
      position++;
    }
    skipPreamble();
    skipBlanks();
    while (!atEnd()) {
      switch (text.charAt(position)) {
        case '[' -> readSection();
        case '#', ';' -> skipComment();
        default -> readOption();
      }
      skipBlanks();
    }
    return options;
  }

  /** Like systemd, takes no offence at what precedes the first section. */
  private void skipPreamble() {
    skipBlanks();
    while (!atEnd()) {
      if (atComment()) {
        skipComment();
      } else {
        int bracket = text.indexOf('[', position);
        if (bracket >= 0 && bracket < endOfLine()) {
          position = bracket;
          return;
        }
        position = endOfLine();
      }
      skipBlanks();
    }
  }

  private void skipComment() {
    int end = endOfLine();
    while (text.charAt(end - 1) == '\\' && end < text.length()) {
      position = end + 1;
      end = endOfLine();
    }
    position = end;
  }

  private void readSection() throws UnitFileSyntaxException {
    int end = endOfLine();
    int bracket = text.indexOf(']', position);
    if (bracket < 0 || bracket > end) {
      throw problem("unable to find end of section " + text.substring(position, end).strip());
    }
    section = text.substring(position + 1, bracket);
    String rest = Blanks.trim(text, bracket + 1, end);
    if (!rest.isEmpty()) {
      throw problem("found garbage after section name [" + section + "]: \"" + rest + "\"");
    }
    position = end;
  }

  private void readOption() throws UnitFileSyntaxException {
    int end = endOfLine();
    int equals = text.indexOf('=', position);
    if (equals < 0 || equals > end) {
      String line = "\"" + text.substring(position, end).strip() + "\"";
      throw problem(
          end == text.length()
              ? "unexpected end of file while parsing option name: " + line + " has no \"=\""
              : "unexpected newline encountered while parsing option name: "
                  + line
                  + " has no \"=\"");
    }
    String name = Blanks.trim(text, position, equals);
    position = equals + 1;
    options.add(new UnitOption(section, name, readValue()).interned());
  }

  private String readValue() {
    int start = position;
    int end = start;
    while (true) {
      int lineEnd = endOfLine();
      if (Blanks.isBlank(text, position, lineEnd)) {
        position = lineEnd;
        break;
      }
      end = lineEnd;
      position = lineEnd;
      if (text.charAt(lineEnd - 1) != '\\' || lineEnd == text.length()) {
        break;
      }
      position++;
    }
    return Blanks.trim(text, start, end);
  }

  private void skipBlanks() {
    while (!atEnd() && Blanks.isBlank(text.charAt(position))) {
      position++;
    }
  }

  private boolean atEnd() {
    return position >= text.length();
  }

  private boolean atComment() {
    char first = text.charAt(position);
    return first == '#' || first == ';';
  }

  private int endOfLine() {
    int newline = text.indexOf('\n', position);
    return newline < 0 ? text.length() : newline;
  }

  private UnitFileSyntaxException problem(String what) {
    return new UnitFileSyntaxException(lineAt(position), what);
  }

  private int lineAt(int offset) {
    return 1 + (int) text.chars().limit(offset).filter(c -> c == '\n').count();
  }
}
