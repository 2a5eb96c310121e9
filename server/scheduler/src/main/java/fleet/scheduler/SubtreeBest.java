package fleet.scheduler;

import java.util.Arrays;

/**
 * The promises of the parts of a tree: the best standing in a part for each level of room, of
 * machines that have at least so much of processors and at the same time at least so much of
 * memory. A part may promise more than there is, until a search there corrects it; never less.
 *
 * <p>A larger request is never promised more. So a change is the corner of an area, and the rest
 * need not be looked at.
 */
final class SubtreeBest {

  /** The standing of a machine that is not there. */
  static final int NOBODY = Integer.MAX_VALUE;

  private static final int SIDE = Levels.COUNT;

  /** How many parts there is space for; side by side, as they are compared with each other. */
  private int width = 2;

  private int[] best = new int[SIDE * SIDE * width];

  SubtreeBest() {
    Arrays.fill(best, NOBODY);
  }

  /** The promise of each of the first parts for one level of room. */
  int[] of(int cores, int memory, int parts) {
    int from = (SIDE * cores + memory) * width;
    return Arrays.copyOfRange(best, from, from + parts);
  }

  /** The best that any of the first parts promises for one level of room. */
  int best(int cores, int memory, int parts) {
    int from = (SIDE * cores + memory) * width;
    int lowest = NOBODY;
    for (int part = 0; part < parts; part++) {
      lowest = Math.min(lowest, best[from + part]);
    }
    return lowest;
  }

  /**
   * A part has a machine of these levels, which also serves smaller requests.
   *
   * @return whether the part promises more than before
   */
  boolean raise(int part, int cores, int memory, int standing) {
    int row = cores;
    while (row >= 0 && best[at(part, row, memory)] > standing) {
      int first = at(part, row, 0);
      for (int at = at(part, row, memory); at >= first && best[at] > standing; at -= width) {
        best[at] = standing;
      }
      row--;
    }
    return row < cores;
  }

  /** A part has nothing better than this for requests of this size, and so for larger ones. */
  void limit(int part, int cores, int memory, int standing) {
    for (int row = cores; row < SIDE && best[at(part, row, memory)] < standing; row++) {
      int last = at(part, row, SIDE - 1);
      for (int at = at(part, row, memory); at <= last && best[at] < standing; at += width) {
        best[at] = standing;
      }
    }
  }

  private int at(int part, int cores, int memory) {
    return (SIDE * cores + memory) * width + part;
  }

  /** One part of a larger whole takes over all promises of some parts. */
  void addTo(SubtreeBest whole, int part, int parts) {
    for (int cores = 0; cores < SIDE; cores++) {
      for (int memory = 0; memory < SIDE; memory++) {
        whole.raise(part, cores, memory, best(cores, memory, parts));
      }
    }
  }

  // ---- the parts

  /** Those from this one on are one further; this one promises nothing. */
  void insert(int part, int parts) {
    int wide = parts < width ? width : 2 * width;
    int[] before = best;
    best = new int[SIDE * SIDE * wide];
    Arrays.fill(best, NOBODY);
    for (int level = 0; level < SIDE * SIDE; level++) {
      System.arraycopy(before, level * width, best, level * wide, part);
      System.arraycopy(before, level * width + part, best, level * wide + part + 1, parts - part);
    }
    width = wide;
  }

  /** Those behind this one are one nearer. */
  void remove(int part, int parts) {
    for (int level = 0; level < SIDE * SIDE; level++) {
      int from = level * width;
      System.arraycopy(best, from + part + 1, best, from + part, parts - part - 1);
      best[from + parts - 1] = NOBODY;
    }
  }
}
