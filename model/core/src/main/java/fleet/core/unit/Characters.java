package fleet.core.unit;

/**
 * Characters that systemd refuses a unit file for: halves of surrogate pairs, and those that
 * Unicode keeps for programs' own use.
 */
final class Characters {

  /** Every character before it is accepted. */
  static final char FIRST_TO_CHECK = Character.MIN_SURROGATE;

  /** Stands for bytes that are not UTF-8. */
  static final String REFUSED = "\uFFFF";

  private static final int REPLACEMENT = 0xFFFD;

  private Characters() {}

  static boolean areAccepted(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST_TO_CHECK) {
        int character = text.codePointAt(i);
        if (!isAccepted(character)) {
          return false;
        }
        i += Character.charCount(character) - 1;
      }
    }
    return true;
  }

  /** For comments within values, which systemd does not read. */
  static String replaceRefused(String text) {
    if (areAccepted(text)) {
      return text;
    }
    return text.codePoints()
        .map(character -> isAccepted(character) ? character : REPLACEMENT)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isAccepted(int character) {
    boolean isHalf = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    boolean isReserved = character >= 0xFDD0 && character <= 0xFDEF;
    boolean isLastOfPlane = (character & 0xFFFE) == 0xFFFE;
    return !isHalf && !isReserved && !isLastOfPlane;
  }
}
