package fleet.core.text;

import java.util.function.IntPredicate;

/**
 * Text from outside as one line, for logs, events and terminals: characters that end lines, that
 * terminals obey or that hide others are written as escapes, such as {@code \x1b}. The one place
 * that does so. Pure.
 */
public final class SingleLine {

  private SingleLine() {}

  /** The text as one line. */
  public static String of(String text) {
    return escaped(text, SingleLine::isPlain);
  }

  /** The text as one line of limited length, whose last character marks a cut. */
  public static String of(String text, int most) {
    // Before escaping as well, which would be work without bound.
    String line = of(text.length() > most ? text.substring(0, most) + "…" : text);
    return line.length() > most ? line.substring(0, most - 1) + "…" : line;
  }

  /** Whether a text is one line as it is. */
  public static boolean isOne(String text) {
    return isAll(text, SingleLine::isPlain);
  }

  /** The lines of a text, tabs and what joins characters of a script included. */
  public static String ofEach(String text) {
    return escaped(text, SingleLine::isShown);
  }

  private static boolean isAll(String text, IntPredicate allowed) {
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (!allowed.test(character)) {
        return false;
      }
      i += Character.charCount(character);
    }
    return true;
  }

  private static String escaped(String text, IntPredicate allowed) {
    if (isAll(text, allowed)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          if (allowed.test(c)) {
            line.appendCodePoint(c);
          } else {
            line.append((c < 0x100 ? "\\x%02x" : "\\u%04x").formatted(c));
          }
        });
    return line.toString();
  }

  private static boolean isPlain(int c) {
    if (c >= ' ' && c < 0x7f) {
      return true;
    }
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

  /** Emoji and some scripts need characters of formatting; those that turn text around hide it. */
  private static boolean isShown(int c) {
    boolean turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    boolean joins = Character.getType(c) == Character.FORMAT && !turns;
    return c == '\n' || c == '\t' || joins || isPlain(c);
  }
}
