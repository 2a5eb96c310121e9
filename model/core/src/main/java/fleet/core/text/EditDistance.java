package fleet.core.text;

import java.util.Arrays;

/**
 * How far two words are apart (Levenshtein), to find the word that a misspelt one was meant to be.
 */
public final class EditDistance {

  private EditDistance() {}

  /** How many characters must be inserted, removed or replaced; case counts. */
  public static int between(String from, String to) {
    int[] above = new int[to.length() + 1];
    Arrays.setAll(above, column -> column);
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
        current[column] = Math.min(replaced, 1 + Math.min(above[column], current[column - 1]));
      }
      above = current;
    }
    return above[to.length()];
  }
}
