package fleet.core.text;

/**
 * Text from outside, made harmless: control characters are written as what they are, {@code \n} or
 * {@code \x1b}, so that nobody can begin a line of their own in a log, or command a terminal. Marks
 * that turn the direction of text around count as control characters too. Pure.
 */
public final class ControlCharacters {

  private ControlCharacters() {}

  /** Whether a text has any, line ends and tabs included. */
  public static boolean areIn(String text) {
    return first(text, false) >= 0;
  }

  /** The text as one line. */
  public static String escaped(String text) {
    return escaped(text, false);
  }

  /** The text with its lines and tabs. */
  public static String escapedButLines(String text) {
    return escaped(text, true);
  }

  /** The text as one line of at most so many characters, of which the last says that it is cut. */
  public static String escaped(String text, int most) {
    // Before escaping as well, which would be work without bound.
    String line = escaped(text.length() > most ? text.substring(0, most) + "…" : text);
    return line.length() > most ? line.substring(0, most - 1) + "…" : line;
  }

  private static String escaped(String text, boolean lines) {
    int first = first(text, lines);
    if (first < 0) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char character = text.charAt(i);
      if (isControl(character, lines)) {
        append(line, character);
      } else {
        line.append(character);
      }
    }
    return line.toString();
  }

  private static int first(String text, boolean lines) {
    for (int i = 0; i < text.length(); i++) {
      if (isControl(text.charAt(i), lines)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isControl(char character, boolean lines) {
    if (character >= ' ' && character < 0x7f) {
      return false;
    }
    if (character == '\n' || character == '\t') {
      return !lines;
    }
    return character < 0xa0 || isLineEnd(character) || turnsDirection(character);
  }

  private static boolean isLineEnd(char character) {
    return character == 0x2028 || character == 0x2029;
  }

  private static boolean turnsDirection(char character) {
    boolean embeds = character >= 0x202a && character <= 0x202e;
    boolean isolates = character >= 0x2066 && character <= 0x2069;
    return embeds || isolates;
  }

  private static void append(StringBuilder line, char character) {
    switch (character) {
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default ->
          line.append((character < 0x100 ? "\\x%02x" : "\\u%04x").formatted((int) character));
    }
  }
}
