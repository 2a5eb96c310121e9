package fleet.fleetctl.table;

/** Reads a JSONPath template character by character. */
final class PathReader {

  private final String text;
  private int position;

  PathReader(String text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return position >= text.length();
  }

  private char current() {
    return isAtEnd() ? '\0' : text.charAt(position);
  }

  boolean isAt(char expected) {
    return current() == expected && !isAtEnd();
  }

  boolean isAtQuote() {
    return isAt('"') || isAt('\'');
  }

  void skipBlanks() {
    while (isAt(' ')) {
      position++;
    }
  }

  /** Everything before a character, or to the end. */
  String upTo(char end) {
    int found = text.indexOf(end, position);
    int to = found < 0 ? text.length() : found;
    String part = text.substring(position, to);
    position = to;
    return part;
  }

  /** Skips a text if it is next; a word is not taken for the beginning of a longer one. */
  boolean takes(String expected) {
    if (!text.startsWith(expected, position)) {
      return false;
    }
    int end = position + expected.length();
    boolean isWord = Character.isLetter(expected.charAt(0));
    if (isWord && end < text.length() && isPartOfName(text.charAt(end))) {
      return false;
    }
    position = end;
    return true;
  }

  void expect(String expected) throws InvalidExpressionException {
    if (!takes(expected)) {
      throw invalid("expected " + expected);
    }
  }

  void closeBrace() throws InvalidExpressionException {
    skipBlanks();
    expect("}");
  }

  /** A name without quotes; empty if none is next. */
  String name() {
    int from = position;
    while (!isAtEnd() && isPartOfName(current())) {
      position++;
    }
    return text.substring(from, position);
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  /** A text in quotes, with {@code \n}, {@code \t} and escaped characters. */
  String quoted() throws InvalidExpressionException {
    char quote = current();
    StringBuilder unquoted = new StringBuilder();
    position++;
    while (!isAtEnd() && current() != quote) {
      char c = text.charAt(position++);
      if (c == '\\' && !isAtEnd()) {
        char escaped = text.charAt(position++);
        unquoted.append(
            switch (escaped) {
              case 'n' -> '\n';
              case 't' -> '\t';
              default -> escaped;
            });
      } else {
        unquoted.append(c);
      }
    }
    if (isAtEnd()) {
      throw invalid("the quote " + quote + " is not closed");
    }
    position++;
    return unquoted.toString();
  }

  InvalidExpressionException invalid(String why) {
    return new InvalidExpressionException(
        "invalid jsonpath at character %d of \"%s\": %s".formatted(position + 1, text, why));
  }
}
