package fleet.scheduler;

import fleet.core.machine.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one size in the order of their ids: a treap, whose larger nodes know what is the best
 * standing below them of the machines with so much room. So the best machine that has room for
 * something is found by going down to it. Where few are left, each is looked at.
 */
final class MachineTree {

  /** Nodes with fewer below them have no grid, which would be larger than they are. */
  private static final int LARGE = 16;

  private final Size size;
  private final Levels levels;
  private final LevelGrid scratch = new LevelGrid();
  private @Nullable Node root;

  MachineTree(Size size) {
    this.size = size;
    levels = new Levels(size);
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
    private long freeCores;
    private long freeMemory;

    /** Of all from here down; none where they are few. */
    private @Nullable LevelGrid grid;

    private Node(MachineView machine) {
      this.machine = machine;
      // By its id, so that equal sets of machines make equal trees.
      int hash = machine.id().hashCode() * 0x9E3779B9;
      this.priority = hash ^ hash >>> 15;
    }

    /** Takes over where the machine stands now, and how much room it has. */
    void update(int newStanding) {
      int coresBefore = cores;
      int memoryBefore = memory;
      int standingBefore = standing;
      note(newStanding);
      if (cores == coresBefore && memory == memoryBefore && standing == standingBefore) {
        return;
      }
      Node node = this;
      while (node != null && node.sum()) {
        node = node.parent;
      }
    }

    private void note(int newStanding) {
      Resources room = machine.room();
      standing = newStanding;
      freeCores = room.cpuMillis();
      freeMemory = room.memory();
      cores = levels.cores(room);
      memory = levels.memory(room);
    }

    /** Whether something above may be out of date now. */
    private boolean sum() {
      if (count < LARGE) {
        grid = null;
        return true;
      }
      scratch.clear();
      boolean fewOnTheLeft = addFew(left);
      if (addFew(right) || fewOnTheLeft) {
        scratch.lower();
      }
      addMany(left);
      addMany(right);
      scratch.add(cores, memory, standing);
      if (grid == null) {
        grid = new LevelGrid();
      }
      return grid.become(scratch);
    }

    private void addMany(@Nullable Node child) {
      if (child != null && child.grid != null) {
        scratch.add(child.grid);
      }
    }

    /** Adds all of those that have no grid; whether there are any. */
    private boolean addFew(@Nullable Node child) {
      if (child == null || child.grid != null) {
        return false;
      }
      scratch.addAbove(child.cores, child.memory, child.standing);
      addAll(child.left);
      addAll(child.right);
      return true;
    }

    private void addAll(@Nullable Node node) {
      if (node != null) {
        scratch.addAbove(node.cores, node.memory, node.standing);
        addAll(node.left);
        addAll(node.right);
      }
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
    var search = new Search(asked, levels, judge);
    search.limit = Math.min(worst, LevelGrid.NOBODY - 1L);
    search.visit(root, true);
    return search.found;
  }

  private static final class Search {

    private final Resources asked;
    private final int cores;
    private final int memory;
    private final Judge judge;
    private @Nullable MachineView found;

    /** What is worse than this is of no use. */
    private long limit;

    Search(Resources asked, Levels levels, Judge judge) {
      this.asked = asked;
      this.cores = levels.cores(asked);
      this.memory = levels.memory(asked);
      this.judge = judge;
    }

    private boolean promisesMore(@Nullable Node one, @Nullable Node other) {
      LevelGrid first = one == null ? null : one.grid;
      LevelGrid second = other == null ? null : other.grid;
      return first != null
          && second != null
          && first.best(cores, memory) < second.best(cores, memory);
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
      if (node == null) {
        return;
      }
      if (node.grid != null && !isOfUse(node.grid.best(cores, memory), ties)) {
        return;
      }
      boolean leftFirst = !promisesMore(node.right, node.left);
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
      if (isOfUse(node.standing, ties)
          && hasRoom(asked.cpuMillis(), node.freeCores)
          && hasRoom(asked.memory(), node.freeMemory)
          && judge.admits(node.machine)) {
        found = node.machine;
        limit = node.standing;
      }
    }

    private static boolean hasRoom(long asked, long free) {
      return asked == 0 || asked <= free;
    }
  }
}
