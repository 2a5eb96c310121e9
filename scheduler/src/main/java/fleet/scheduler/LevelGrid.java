package fleet.scheduler;

import java.util.Arrays;

/**
 * The best standing of some machines for each level of room: of those that have at least so much of
 * processors and at the same time at least so much of memory.
 */
final class LevelGrid {

  /** The standing of a machine that is not there. */
  static final int NOBODY = Integer.MAX_VALUE;

  private static final int SIDE = Levels.COUNT;

  private final int[] best = new int[SIDE * SIDE];

  LevelGrid() {
    clear();
  }

  int best(int cores, int memory) {
    return best[SIDE * cores + memory];
  }

  void clear() {
    Arrays.fill(best, NOBODY);
  }

  /** Adds the machines of another. */
  void add(LevelGrid other) {
    int[] others = other.best;
    for (int i = 0; i < best.length; i++) {
      best[i] = Math.min(best[i], others[i]);
    }
  }

  /** Adds one machine, at its own levels and all below. */
  void add(int cores, int memory, int standing) {
    for (int row = SIDE * cores; row >= 0; row -= SIDE) {
      if (best[row + memory] > standing) {
        for (int at = row + memory; at >= row && best[at] > standing; at--) {
          best[at] = standing;
        }
      }
    }
  }

  /** Adds one machine at its own levels alone, until {@link #lower} is called. */
  void addAbove(int cores, int memory, int standing) {
    int at = SIDE * cores + memory;
    best[at] = Math.min(best[at], standing);
  }

  /** Who has much room has little, too. */
  void lower() {
    for (int at = SIDE * (SIDE - 1) - 1; at >= 0; at--) {
      best[at] = Math.min(best[at], best[at + SIDE]);
    }
    for (int row = 0; row < best.length; row += SIDE) {
      for (int at = row + SIDE - 2; at >= row; at--) {
        best[at] = Math.min(best[at], best[at + 1]);
      }
    }
  }

  /** Becomes the same as another; whether it was not before. */
  boolean become(LevelGrid other) {
    if (Arrays.equals(best, other.best)) {
      return false;
    }
    System.arraycopy(other.best, 0, best, 0, best.length);
    return true;
  }
}
