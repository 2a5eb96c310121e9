package fleet.fleetctl.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The edits that turn one list of lines into another: the fewest, by the algorithm of Myers, unless
 * the two have little in common. Pure.
 */
record LineEdits(List<String> before, List<String> after) {

  /** Time and memory grow with the square of this; texts that differ by more are replaced whole. */
  private static final int MOST = 1000;

  /**
   * @param mark {@code -} if it goes, {@code +} if it comes, a blank if it stays
   */
  record Edit(char mark, String line) {}

  /** All lines of both, in order; of those between two that stay, the ones that go are first. */
  static List<Edit> between(List<String> before, List<String> after) {
    int start = 0;
    int shorter = Math.min(before.size(), after.size());
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start && before.reversed().get(end).equals(after.reversed().get(end))) {
      end++;
    }
    var middle =
        new LineEdits(
            before.subList(start, before.size() - end), after.subList(start, after.size() - end));
    List<Edit> edits = new ArrayList<>();
    before.subList(0, start).forEach(line -> edits.add(new Edit(' ', line)));
    edits.addAll(inOrder(middle.fewest()));
    before
        .subList(before.size() - end, before.size())
        .forEach(line -> edits.add(new Edit(' ', line)));
    return edits;
  }

  private List<Edit> fewest() {
    List<int[]> reached = new ArrayList<>();
    int most = Math.min(MOST, before.size() + after.size());
    int[] furthest = new int[2 * most + 3];
    int middle = most + 1;
    for (int cost = 0; cost <= most; cost++) {
      reached.add(Arrays.copyOfRange(furthest, middle - cost - 1, middle + cost + 2));
      for (int diagonal = -cost; diagonal <= cost; diagonal += 2) {
        int x = follow(step(furthest, middle, diagonal, cost), diagonal);
        furthest[middle + diagonal] = x;
        if (x >= before.size() && x - diagonal >= after.size()) {
          return path(reached);
        }
      }
    }
    return allOther();
  }

  /** The best place on a diagonal after one more edit. */
  private static int step(int[] furthest, int middle, int diagonal, int cost) {
    int left = furthest[middle + diagonal - 1];
    int right = furthest[middle + diagonal + 1];
    return diagonal == -cost || (diagonal != cost && left < right) ? right : left + 1;
  }

  /** Lines that are equal cost nothing. */
  private int follow(int from, int diagonal) {
    int x = from;
    while (x < before.size()
        && x - diagonal < after.size()
        && before.get(x).equals(after.get(x - diagonal))) {
      x++;
    }
    return x;
  }

  /** Goes back from the end. */
  private List<Edit> path(List<int[]> reached) {
    List<Edit> backwards = new ArrayList<>();
    int x = before.size();
    int y = after.size();
    for (int cost = reached.size() - 1; cost > 0; cost--) {
      int[] furthest = reached.get(cost);
      int middle = cost + 1;
      int diagonal = x - y;
      boolean comes = step(furthest, middle, diagonal, cost) == furthest[middle + diagonal + 1];
      comes &= diagonal != cost;
      int from = comes ? diagonal + 1 : diagonal - 1;
      int fromX = furthest[middle + from];
      int fromY = fromX - from;
      int afterEdit = comes ? fromX : fromX + 1;
      for (; x > afterEdit; x--, y--) {
        backwards.add(new Edit(' ', before.get(x - 1)));
      }
      backwards.add(comes ? new Edit('+', after.get(fromY)) : new Edit('-', before.get(fromX)));
      x = fromX;
      y = fromY;
    }
    for (; x > 0; x--) {
      backwards.add(new Edit(' ', before.get(x - 1)));
    }
    return backwards.reversed();
  }

  private List<Edit> allOther() {
    List<Edit> edits = new ArrayList<>();
    before.forEach(line -> edits.add(new Edit('-', line)));
    after.forEach(line -> edits.add(new Edit('+', line)));
    return edits;
  }

  private static List<Edit> inOrder(List<Edit> edits) {
    List<Edit> ordered = new ArrayList<>();
    List<Edit> coming = new ArrayList<>();
    for (Edit edit : edits) {
      if (edit.mark() == '+') {
        coming.add(edit);
        continue;
      }
      if (edit.mark() == ' ') {
        ordered.addAll(coming);
        coming.clear();
      }
      ordered.add(edit);
    }
    ordered.addAll(coming);
    return ordered;
  }
}
