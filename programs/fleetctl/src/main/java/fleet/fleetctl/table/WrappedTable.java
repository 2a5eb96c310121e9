package fleet.fleetctl.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Cells in columns with two blanks between, without a header. The last column is text, which goes
 * on below itself if a line is too short for it.
 */
public final class WrappedTable {

  private static final String GAP = "  ";

  /** A text in less than this is no longer read: it goes beyond the line instead. */
  private static final int LEAST = 24;

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; all rows have equally many cells. */
  public void row(List<String> cells) {
    rows.add(cells);
  }

  /**
   * The lines.
   *
   * @param indent before each line
   * @param width of a line
   */
  public String render(String indent, int width) {
    StringBuilder text = new StringBuilder();
    int columns = rows.isEmpty() ? 0 : rows.getFirst().size() - 1;
    int[] widths = Table.widths(rows, columns);
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        line.append(cell).append(" ".repeat(widths[column] - Table.length(cell))).append(GAP);
      }
      wrap(text, line.toString(), row.getLast(), width);
    }
    return text.toString();
  }

  private static void wrap(StringBuilder text, String before, String last, int width) {
    int room = width - Table.length(before);
    StringBuilder line = new StringBuilder();
    String margin = before;
    for (String word : last.split(" ", -1)) {
      if (room >= LEAST && !line.isEmpty() && Table.length(line) + 1 + Table.length(word) > room) {
        text.append(margin).append(line).append('\n');
        margin = " ".repeat(Table.length(before));
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    text.append(margin).append(line).append('\n');
  }
}
