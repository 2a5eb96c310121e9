package fleet.fleetctl.table;

import java.util.Arrays;
import java.util.List;

/**
 * Cells in columns with two blanks between, in lines that fit a terminal: the widest columns are
 * shortened, but never the first, which names things, and none below a few characters.
 */
public final class FittedTable {

  private static final String GAP = "  ";
  private static final String CUT = "…";

  /** A column is as wide as this, or as its header. */
  private static final int LEAST = 8;

  private final List<List<String>> rows;
  private final int[] widths;
  private final boolean shortened;

  /**
   * @param rows with equally many cells
   * @param width of a line
   */
  public FittedTable(List<List<String>> rows, int width) {
    this.rows = rows;
    int[] wanted = Table.widths(rows, rows.isEmpty() ? 0 : rows.getFirst().size());
    widths = fitted(rows, wanted.clone(), width);
    shortened = !Arrays.equals(wanted, widths);
  }

  private static int[] fitted(List<List<String>> rows, int[] widths, int width) {
    int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - width;
    while (excess > 0) {
      int widest = widest(rows, widths);
      if (widest < 0) {
        break;
      }
      widths[widest]--;
      excess--;
    }
    return widths;
  }

  /** The widest column that may be shortened; negative if there is none. */
  private static int widest(List<List<String>> rows, int[] widths) {
    int widest = -1;
    for (int column = 1; column < widths.length; column++) {
      boolean mayBe = widths[column] > Math.max(LEAST, Table.length(rows.getFirst().get(column)));
      if (mayBe && (widest < 0 || widths[column] > widths[widest])) {
        widest = column;
      }
    }
    return widest;
  }

  /** Whether not all of the cells can be seen. */
  boolean isShortened() {
    return shortened;
  }

  public String render() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        String cell = cut(row.get(column), widths[column]);
        text.append(cell);
        if (column + 1 < row.size()) {
          text.append(" ".repeat(widths[column] - Table.length(cell))).append(GAP);
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String cut(String cell, int width) {
    return Table.length(cell) <= width
        ? cell
        : cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + CUT;
  }
}
