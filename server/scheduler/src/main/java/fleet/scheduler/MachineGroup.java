package fleet.scheduler;

import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Machines that have something in common, a tree for each size. */
final class MachineGroup {

  private final NavigableMap<Size, MachineTree> trees = new TreeMap<>();
  private int count;

  int count() {
    return count;
  }

  /** The smallest machines first. */
  Collection<MachineTree> trees() {
    return trees.values();
  }

  TreeLeaf add(MachineInfo machine, int standing) {
    count++;
    return trees.computeIfAbsent(machine.size(), MachineTree::new).add(machine, standing);
  }

  void remove(TreeLeaf seat, Size size) {
    count--;
    seat.remove();
    trees.computeIfPresent(size, (_, tree) -> tree.isEmpty() ? null : tree);
  }
}
