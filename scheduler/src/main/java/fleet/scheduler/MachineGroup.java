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

  MachineTree.Node add(MachineView machine, int standing) {
    count++;
    return trees.computeIfAbsent(machine.size(), MachineTree::new).add(machine, standing);
  }

  void remove(MachineTree.Node node, Size size) {
    count--;
    node.remove();
    trees.computeIfPresent(size, (_, tree) -> tree.isEmpty() ? null : tree);
  }
}
