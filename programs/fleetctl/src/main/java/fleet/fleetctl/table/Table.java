package fleet.fleetctl.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Cells in columns, aligned by TAB characters: each column is as wide as its widest cell and at
 * least one blank, in steps of eight. The last column is left as it is.
 */
public final class Table {

  private static final int STEP = 8;

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; all rows have equally many cells. */
  public void row(List<String> cells) {
    rows.add(cells);
  }

  public String render() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder(rows.size() * 64);
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        text.append(cell);
        if (column + 1 < row.size()) {
          pad(text, widths[column] - length(cell));
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = widths(rows, rows.isEmpty() ? 0 : rows.getFirst().size());
    for (int column = 0; column < widths.length; column++) {
      widths[column] = (widths[column] + STEP) / STEP * STEP;
    }
    return widths;
  }

  /** How wide the first columns are: each as its widest cell. */
  static int[] widths(List<List<String>> rows, int columns) {
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], length(row.get(column)));
      }
    }
    return widths;
  }

  private static void pad(StringBuilder text, int missing) {
    for (int left = missing; left > 0; left -= STEP) {
      text.append('\t');
    }
  }

  static int length(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }
}
