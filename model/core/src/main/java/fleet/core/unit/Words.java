package fleet.core.unit;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a value that is a list into its words as systemd does: blanks separate them, quotes hold
 * blanks together and are dropped, and backslashes stand for themselves. A quote that is not closed
 * ends the list before its word.
 */
final class Words {
  private static final char NONE = 0;

  private Words() {}

  static List<String> of(String value) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isInWord = false;
    char quote = NONE;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (quote == NONE && Blanks.isBlank(c)) {
        if (isInWord) {
          words.add(word.toString());
          word.setLength(0);
        }
        isInWord = false;
      } else {
        isInWord = true;
        if (c == quote) {
          quote = NONE;
        } else if (quote == NONE && (c == '"' || c == '\'')) {
          quote = c;
        } else {
          word.append(c);
        }
      }
    }
    if (isInWord && quote == NONE) {
      words.add(word.toString());
    }
    return words;
  }
}
