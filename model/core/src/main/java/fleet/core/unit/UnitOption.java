package fleet.core.unit;

/**
 * One {@code Name=Value} line of a unit file, in its section.
 *
 * @param value as it is written: a value that goes on over lines has a backslash and {@code \n} for
 *     each line that ends, and comments between its lines; a backslash at its end that is meant as
 *     one has a blank behind it
 */
public record UnitOption(String section, String name, String value) {

  /** The value as systemd reads it: in one line. */
  public String valueInOneLine() {
    return value.indexOf('\\') < 0 ? value : Blanks.trim(Continuation.join(value));
  }

  /** As a client may send it: with blanks around, and with line ends of Windows in the value. */
  UnitOption trimmed() {
    return new UnitOption(
        section, Blanks.trim(name), Continuation.trim(value.replace("\r\n", "\n")));
  }

  /** At most so many stand in the text for it, with its section's line. */
  long characters() {
    return 2L + section.length() + 2 + name.length() + 1 + value.length() + 1;
  }

  /**
   * Whether its line reads as this very option, whatever lines stand around it, without trying:
   * letters and digits for names, nothing in the value that ends or continues a line, or that
   * systemd may refuse.
   */
  boolean isPlain() {
    return isWord(section) && isWord(name) && isOneLine(value);
  }

  private static boolean isWord(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!((c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || c == '-')) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isOneLine(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' || c == '\r' || c == '\0' || c == '\\' || c >= Characters.FIRST_TO_CHECK) {
        return false;
      }
    }
    return true;
  }

  /** Names recur in every unit file: interned, a hundred thousand files share them. */
  UnitOption interned() {
    return new UnitOption(section.intern(), name.intern(), value);
  }
}
