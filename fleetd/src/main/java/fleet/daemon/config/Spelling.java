package fleet.daemon.config;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the option that a misspelt key was probably meant to be. */
final class Spelling {
  private Spelling() {}

  /** The nearest option, where no more than a third of the key would have to change. */
  static Optional<Option> nearest(String key) {
    String wanted = key.toLowerCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(Option.values())
        .min(Comparator.comparingInt(option -> distance(wanted, option.key())))
        .filter(option -> distance(wanted, option.key()) <= wanted.length() / 3);
  }

  /** The number of single characters to insert, remove or replace (Levenshtein). */
  private static int distance(String from, String to) {
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
