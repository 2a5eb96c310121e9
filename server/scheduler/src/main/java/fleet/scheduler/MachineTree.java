package fleet.scheduler;

import fleet.core.machine.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one size in the order of their ids, in blocks of a few dozen. The branches above know
 * the best standing in each of their parts, for each level of room, so the best machine with enough
 * room is found by descending.
 *
 * <p>When a machine gets worse, the branches above it keep their old promise, and a search that
 * fails there corrects it. Such a search concerns one level of room; finding the best for every
 * level would be the most expensive part of a change.
 */
final class MachineTree {

  private final Size size;
  private final Levels levels;
  private TreePart root = new TreeBlock();

  MachineTree(Size size) {
    this.size = size;
    levels = new Levels(size);
  }

  Size size() {
    return size;
  }

  Levels levels() {
    return levels;
  }

  int count() {
    return root.count();
  }

  boolean isEmpty() {
    return count() == 0;
  }

  /** The machine at a given position. */
  MachineInfo at(int rank) {
    return root.at(rank);
  }

  // ---- what is in it

  TreeLeaf add(MachineInfo machine, int standing) {
    TreeBlock block = root.blockFor(machine.id());
    if (block.isFull()) {
      split(block);
      block = root.blockFor(machine.id());
    }
    TreeLeaf seat = new TreeLeaf(machine, this, block);
    block.insert(seat);
    seat.update(standing);
    return seat;
  }

  private void split(TreePart full) {
    TreeBranch above = full.parent();
    if (above != null && above.isFull()) {
      split(above);
      above = full.parent();
    }
    if (above == null) {
      above = new TreeBranch();
      above.insert(0, full);
      root = above;
    }
    TreePart half = full.split();
    above.insert(full.index() + 1, half);
  }

  /** Removes an empty block, and the branches above that have only this block. */
  void prune(TreeBlock block) {
    TreePart part = block;
    while (part.count() == 0 && part.parent() != null) {
      TreeBranch above = part.parent();
      above.remove(part.index());
      part = above;
    }
    while (root instanceof TreeBranch branch && branch.size() <= 1) {
      root = branch.size() == 0 ? new TreeBlock() : branch.part(0);
      root.sit(null, 0);
    }
  }

  // ---- looking for the best

  /** Decides whether a machine is suitable. */
  interface Judge {
    boolean admits(MachineInfo machine);
  }

  /**
   * The suitable machine with the best standing, and of equals the first.
   *
   * @param asked the room that it must have at least
   * @param worst standings worse than this are useless
   */
  @Nullable MachineInfo best(Resources asked, long worst, Judge judge) {
    return new TreeSearch(asked, levels, worst, judge).in(root);
  }
}
