package fleet.core.unit;

/**
 * White space as Unicode has it, which is what fleet 1.0 trims and therefore what its hashes are
 * made without; Java's own notions differ in a few characters each.
 */
final class Blanks {
  private Blanks() {}

  static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\u0085' || (c >= 0x80 && isSpace(c));
  }

  static boolean isBlank(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!isBlank(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  static String trim(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  static String trim(String text) {
    return trim(text, 0, text.length());
  }

  private static boolean isSpace(char c) {
    return Character.isSpaceChar(c);
  }
}
