package fleet.scheduler;

import fleet.core.machine.Resources;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one size in the order of their ids: a treap, each of whose nodes knows what is the
 * best standing below it of the machines with so much room. So the best machine that has room for
 * something is found by going down to it.
 *
 * <p>How much room is told in levels, two for each doubling. The lowest is any room at all.
 */
final class MachineTree {

  /** For each of processors and memory. */
  private static final int LEVELS = 16;

  private static final int MEMORY = LEVELS;

  /** The standing of a machine that is not there. */
  private static final int NOBODY = Integer.MAX_VALUE;

  private static final int[] NONE = new int[2 * LEVELS];

  static {
    Arrays.fill(NONE, NOBODY);
  }

  private final Size size;
  private final long[] thresholds = new long[2 * LEVELS];
  private @Nullable Node root;

  MachineTree(Size size) {
    this.size = size;
    fillThresholds(0, size.resources().cpuMillis());
    fillThresholds(MEMORY, size.resources().memory());
  }

  private void fillThresholds(int from, long whole) {
    thresholds[from] = Long.MIN_VALUE;
    for (int level = 1; level < LEVELS; level++) {
      thresholds[from + level] = (long) (whole * Math.pow(2, (level + 1 - LEVELS) / 2.0));
    }
  }

  private int level(int from, long amount) {
    int level = LEVELS - 1;
    while (amount < thresholds[from + level]) {
      level--;
    }
    return level;
  }

  Size size() {
    return size;
  }

  int count() {
    return root == null ? 0 : root.count;
  }

  boolean isEmpty() {
    return root == null;
  }

  /** The machine that so many others come before. */
  MachineView at(int rank) {
    Node node = root;
    int before = rank;
    while (node != null) {
      int left = count(node.left);
      if (before == left) {
        return node.machine;
      }
      node = before < left ? node.left : node.right;
      before = before < left ? before : before - left - 1;
    }
    throw new IndexOutOfBoundsException(rank);
  }

  private static int count(@Nullable Node node) {
    return node == null ? 0 : node.count;
  }

  // ---- what is in it

  /** A machine in this tree. */
  final class Node {

    private final MachineView machine;
    private final int priority;
    private @Nullable Node left;
    private @Nullable Node right;
    private @Nullable Node parent;
    private int count = 1;
    private int standing;
    private int cores;
    private int memory;

    /** The best standing of all from here down whose room is of a level, by level. */
    private final int[] best = new int[2 * LEVELS];

    private Node(MachineView machine) {
      this.machine = machine;
      // By its id, so that equal sets of machines make equal trees.
      int hash = machine.id().hashCode() * 0x9E3779B9;
      this.priority = hash ^ hash >>> 15;
    }

    /** Takes over where the machine stands now, and how much room it has. */
    void update(int newStanding) {
      note(newStanding);
      Node node = this;
      while (node != null && node.sum()) {
        node = node.parent;
      }
    }

    private void note(int newStanding) {
      Resources room = machine.room();
      standing = newStanding;
      cores = level(0, room.cpuMillis());
      memory = level(MEMORY, room.memory());
    }

    /** Whether anything came out different. */
    private boolean sum() {
      int[] before = left == null ? NONE : left.best;
      int[] behind = right == null ? NONE : right.best;
      int difference = 0;
      for (int i = 0; i < LEVELS; i++) {
        int own = i <= cores ? standing : NOBODY;
        int now = Math.min(own, Math.min(before[i], behind[i]));
        difference |= now ^ best[i];
        best[i] = now;
      }
      for (int i = 0; i < LEVELS; i++) {
        int own = i <= memory ? standing : NOBODY;
        int now = Math.min(own, Math.min(before[MEMORY + i], behind[MEMORY + i]));
        difference |= now ^ best[MEMORY + i];
        best[MEMORY + i] = now;
      }
      return difference != 0;
    }

    void remove() {
      while (left != null || right != null) {
        rotateUp(higher(left, right));
      }
      Node above = parent;
      replaceInParent(this, null);
      parent = null;
      for (Node node = above; node != null; node = node.parent) {
        node.count--;
        node.sum();
      }
    }

    private static Node higher(@Nullable Node one, @Nullable Node other) {
      if (one == null || other == null) {
        Node there = one == null ? other : one;
        if (there == null) {
          throw new IllegalStateException("a leaf has no children");
        }
        return there;
      }
      return one.priority >= other.priority ? one : other;
    }
  }

  Node add(MachineView machine, int standing) {
    Node added = new Node(machine);
    added.note(standing);
    added.sum();
    Node above = null;
    Node node = root;
    while (node != null) {
      above = node;
      node.count++;
      node = isBefore(machine, node.machine) ? node.left : node.right;
    }
    added.parent = above;
    if (above == null) {
      root = added;
    } else if (isBefore(machine, above.machine)) {
      above.left = added;
    } else {
      above.right = added;
    }
    while (added.parent != null && added.parent.priority < added.priority) {
      rotateUp(added);
    }
    for (Node each = added.parent; each != null; each = each.parent) {
      each.sum();
    }
    return added;
  }

  private static boolean isBefore(MachineView one, MachineView other) {
    return one.id().compareTo(other.id()) < 0;
  }

  /** The node takes its parent's place, and that becomes its child. */
  private void rotateUp(Node node) {
    Node down = node.parent;
    if (down == null) {
      throw new IllegalStateException("the root is at the top");
    }
    replaceInParent(down, node);
    Node between = node == down.left ? node.right : node.left;
    if (node == down.left) {
      down.left = between;
      node.right = down;
    } else {
      down.right = between;
      node.left = down;
    }
    if (between != null) {
      between.parent = down;
    }
    down.parent = node;
    node.count = down.count;
    down.count = 1 + count(down.left) + count(down.right);
    down.sum();
    node.sum();
  }

  private void replaceInParent(Node node, @Nullable Node by) {
    Node above = node.parent;
    if (above == null) {
      root = by;
    } else if (above.left == node) {
      above.left = by;
    } else {
      above.right = by;
    }
    if (by != null) {
      by.parent = above;
    }
  }

  // ---- looking for the best

  /** Says of a machine whether it would do. */
  interface Judge {
    boolean admits(MachineView machine);
  }

  /**
   * The machine with the best standing that would do, and of equals the first.
   *
   * @param asked what it must have room for, at least
   * @param worst a standing worse than this is of no use
   */
  @Nullable MachineView best(Resources asked, long worst, Judge judge) {
    var search = new Search(level(0, asked.cpuMillis()), level(MEMORY, asked.memory()), judge);
    search.limit = Math.min(worst, NOBODY - 1L);
    search.visit(root, true);
    return search.found;
  }

  private static final class Search {

    private final int cores;
    private final int memory;
    private final Judge judge;
    private @Nullable MachineView found;

    /** What is worse than this is of no use. */
    private long limit;

    Search(int cores, int memory, Judge judge) {
      this.cores = cores;
      this.memory = MEMORY + memory;
      this.judge = judge;
    }

    private int bound(@Nullable Node node) {
      return node == null ? NOBODY : Math.max(node.best[cores], node.best[memory]);
    }

    private boolean isOfUse(int standing, boolean ties) {
      return standing < limit || (ties && standing == limit);
    }

    /**
     * The side that promises more comes first.
     *
     * @param ties whether what is as good as the best so far is better, since it comes before it
     */
    private void visit(@Nullable Node node, boolean ties) {
      if (node == null || !isOfUse(bound(node), ties)) {
        return;
      }
      boolean leftFirst = bound(node.left) <= bound(node.right);
      boolean now = ties;
      MachineView sofar = found;
      visit(leftFirst ? node.left : node.right, now);
      if (found != sofar) {
        now = !leftFirst;
        sofar = found;
      }
      judge(node, now);
      if (found != sofar) {
        now = !leftFirst;
      }
      visit(leftFirst ? node.right : node.left, now);
    }

    private void judge(Node node, boolean ties) {
      if (node.cores >= cores
          && MEMORY + node.memory >= memory
          && isOfUse(node.standing, ties)
          && judge.admits(node.machine)) {
        found = node.machine;
        limit = node.standing;
      }
    }
  }
}
