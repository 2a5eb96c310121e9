package fleet.scheduler;

import fleet.core.machine.Resources;
import org.jspecify.annotations.Nullable;

/** Looks for the best machine of a tree, in the parts that promise the most first. */
final class TreeSearch {

  private final Resources asked;
  private final int cores;
  private final int memory;
  private final MachineTree.Judge judge;
  private @Nullable MachineInfo found;

  /** A standing worse than this is of no use. */
  private long limit;

  /**
   * @param asked what the machine must have room for, at least
   * @param worst a standing worse than this is of no use
   * @param judge says which machines would do
   */
  TreeSearch(Resources asked, Levels levels, long worst, MachineTree.Judge judge) {
    this.asked = asked;
    this.cores = levels.cores(asked);
    this.memory = levels.memory(asked);
    this.judge = judge;
    this.limit = Math.min(worst, SubtreeBest.NOBODY - 1L);
  }

  @Nullable MachineInfo in(TreePart root) {
    look(root, true);
    return found;
  }

  /**
   * @param ties whether what is as good as the best so far is better, since it comes before it
   * @return what the part has at best for the levels that are asked for; at least that
   */
  private int look(TreePart part, boolean ties) {
    return switch (part) {
      case TreeBlock block -> look(block, ties);
      case TreeBranch branch -> look(branch, ties);
    };
  }

  private boolean isOfUse(int standing, boolean ties) {
    return standing < limit || (ties && standing == limit);
  }

  private int look(TreeBranch branch, boolean ties) {
    SubtreeBest promises = branch.promises();
    int[] open = promises.of(cores, memory, branch.size());
    int last = -1;
    for (int next = lowest(open); open[next] <= limit; next = lowest(open)) {
      boolean now = last < 0 ? ties : next < last;
      if (isOfUse(open[next], now)) {
        MachineInfo before = found;
        promises.limit(next, cores, memory, look(branch.part(next), now));
        last = found == before ? last : next;
      }
      open[next] = SubtreeBest.NOBODY;
    }
    return promises.best(cores, memory, branch.size());
  }

  /** The first of the lowest. */
  private static int lowest(int[] numbers) {
    int lowest = 0;
    for (int i = 1; i < numbers.length; i++) {
      lowest = numbers[i] < numbers[lowest] ? i : lowest;
    }
    return lowest;
  }

  private int look(TreeBlock block, boolean ties) {
    int best = SubtreeBest.NOBODY;
    int candidate = -1;
    for (int i = 0; i < block.count(); i++) {
      if (block.reaches(i, cores, memory)) {
        int standing = block.standing(i);
        best = Math.min(best, standing);
        boolean better =
            candidate < 0 ? isOfUse(standing, ties) : standing < block.standing(candidate);
        candidate = better && block.hasRoom(i, asked) ? i : candidate;
      }
    }
    while (candidate >= 0 && !take(block, candidate)) {
      candidate = after(candidate, block, ties);
    }
    return best;
  }

  private boolean take(TreeBlock block, int index) {
    boolean admitted = judge.admits(block.at(index));
    if (admitted) {
      found = block.at(index);
      limit = block.standing(index);
    }
    return admitted;
  }

  /** The next best that has room, behind one that would not do. */
  private int after(int refused, TreeBlock block, boolean ties) {
    int from = block.standing(refused);
    int next = -1;
    for (int i = 0; i < block.count(); i++) {
      int standing = block.standing(i);
      boolean behind = standing > from || (standing == from && i > refused);
      boolean better = next < 0 ? isOfUse(standing, ties) : standing < block.standing(next);
      if (behind && better && block.reaches(i, cores, memory) && block.hasRoom(i, asked)) {
        next = i;
      }
    }
    return next;
  }
}
