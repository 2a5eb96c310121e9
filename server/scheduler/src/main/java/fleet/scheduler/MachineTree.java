package fleet.scheduler;

import fleet.core.machine.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one size in the order of their ids, in blocks of a few dozen; above these are
 * branches that know what is the best standing in each of their parts of the machines with so much
 * room. So the best machine that has room for something is found by going down to it.
 *
 * <p>When a machine gets worse, the branches above it are left to promise what there was, and
 * whoever looks there in vain sets right what they say. For that is one level of room, and to find
 * what is the best now for every level takes longer than all else about a change.
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

  /** The machine that so many others come before. */
  MachineInfo at(int rank) {
    return root.at(rank);
  }

  // ---- what is in it

  Seat add(MachineInfo machine, int standing) {
    TreeBlock block = root.blockFor(machine.id());
    if (block.isFull()) {
      split(block);
      block = root.blockFor(machine.id());
    }
    Seat seat = new Seat(machine, this, block);
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

  /** Does away with a block if nobody is left, and with what is above it alone. */
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

  /** Says of a machine whether it would do. */
  interface Judge {
    boolean admits(MachineInfo machine);
  }

  /**
   * The machine with the best standing that would do, and of equals the first.
   *
   * @param asked what it must have room for, at least
   * @param worst a standing worse than this is of no use
   */
  @Nullable MachineInfo best(Resources asked, long worst, Judge judge) {
    return new TreeSearch(asked, levels, worst, judge).in(root);
  }
}
