package fleet.scheduler;

import org.jspecify.annotations.Nullable;

/** A part of a {@link MachineTree}: machines whose ids follow each other. */
abstract sealed class TreePart permits TreeBlock, TreeBranch {

  private @Nullable TreeBranch parent;
  private int index;

  @Nullable TreeBranch parent() {
    return parent;
  }

  /** Which part of its parent this is. */
  int index() {
    return index;
  }

  void sit(@Nullable TreeBranch above, int at) {
    parent = above;
    index = at;
  }

  /** How many machines there are. */
  abstract int count();

  /** The machine that so many others come before. */
  abstract MachineInfo at(int rank);

  /** The lowest id; there is one. */
  abstract String first();

  /** Where a machine of this id belongs. */
  abstract TreeBlock blockFor(String id);

  /** Whether there is no space for one more. */
  abstract boolean isFull();

  /** Its second half, which leaves it. */
  abstract TreePart split();

  /** Says what there is here, as one part of a larger whole. */
  abstract void promise(SubtreeBest whole, int part);
}
