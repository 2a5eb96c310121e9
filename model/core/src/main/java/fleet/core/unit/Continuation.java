package fleet.core.unit;

/**
 * Texts that go on over lines: each line but the last ends in a backslash, and comments stand
 * between them.
 */
final class Continuation {
  private Continuation() {}

  /** Whether the last character is a backslash that no other backslash escapes. */
  static boolean isOpenAtEndOf(String text) {
    int start = text.length();
    while (start > 0 && text.charAt(start - 1) == '\\') {
      start--;
    }
    return (text.length() - start) % 2 == 1;
  }

  static boolean isComment(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (!Blanks.isBlank(c)) {
        return c == '#' || c == ';';
      }
    }
    return false;
  }

  /** The text as systemd reads it: in one line, with a blank for each backslash at a line's end. */
  static String join(String text) {
    if (text.indexOf('\n') < 0) {
      return withoutOpenEnd(text);
    }
    StringBuilder joined = new StringBuilder(text.length());
    boolean isFirst = true;
    for (String line : text.split("\n", -1)) {
      if (isFirst || !isComment(line)) {
        joined.append(isFirst ? "" : " ").append(withoutOpenEnd(line));
      }
      isFirst = false;
    }
    return joined.toString();
  }

  private static String withoutOpenEnd(String line) {
    return isOpenAtEndOf(line) ? line.substring(0, line.length() - 1) : line;
  }

  /** The lines behind the first {@code =} that is in no comment; there has to be one. */
  static String behindEquals(String text) {
    int equals = text.indexOf('=');
    int line = text.lastIndexOf('\n', equals) + 1;
    while (line > 0 && isComment(text.substring(line, equals))) {
      line = text.indexOf('\n', equals) + 1;
      equals = text.indexOf('=', line);
      line = text.lastIndexOf('\n', equals) + 1;
    }
    return text.substring(equals + 1);
  }

  /**
   * A value without blanks around it, and without comments behind its last line. One blank remains
   * behind a backslash at the end, which would continue the value otherwise.
   */
  static String trim(String value) {
    int from = 0;
    while (from < value.length() && Blanks.isBlank(value.charAt(from))) {
      from++;
    }
    int to = value.length();
    while (to > from && Blanks.isBlank(value.charAt(to - 1))) {
      to--;
    }
    String trimmed = withoutCommentsAtEnd(value.substring(from, to));
    int end = from + trimmed.length();
    boolean isLiteral = isOpenAtEndOf(trimmed) && end < value.length() && value.charAt(end) != '\n';
    return isLiteral ? trimmed + " " : trimmed;
  }

  /** Comments after a continued line; others would not be read as part of the value. */
  private static String withoutCommentsAtEnd(String value) {
    int end = value.length();
    for (int newline = value.lastIndexOf('\n');
        newline >= 0 && isComment(value.substring(newline + 1, end));
        newline = value.lastIndexOf('\n', end - 1)) {
      end = newline;
    }
    String shorter = value.substring(0, end);
    return isOpenAtEndOf(shorter) ? shorter : value;
  }
}
