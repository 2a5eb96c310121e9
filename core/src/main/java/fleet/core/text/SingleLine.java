package fleet.core.text;

/**
 * Text from outside as one line, for logs, events and terminals: characters that end lines, that
 * terminals obey or that hide others are written as escapes, such as {@code \x1b}.
 */
public final class SingleLine {

  private SingleLine() {}

  public static String of(String text) {
    if (text.codePoints().allMatch(SingleLine::isPlain)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          if (isPlain(c)) {
            line.appendCodePoint(c);
          } else {
            line.append((c < 0x100 ? "\\x%02x" : "\\u%04x").formatted(c));
          }
        });
    return line.toString();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
