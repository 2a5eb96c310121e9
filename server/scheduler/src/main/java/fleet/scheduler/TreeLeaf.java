package fleet.scheduler;

/** A machine's place in a {@link MachineTree}. */
final class TreeLeaf {

  private final MachineInfo machine;
  private final MachineTree tree;
  private TreeBlock block;
  private int index;

  /** The seat of a machine that has yet to be put there. */
  TreeLeaf(MachineInfo machine, MachineTree tree, TreeBlock block) {
    this.machine = machine;
    this.tree = tree;
    this.block = block;
  }

  MachineInfo machine() {
    return machine;
  }

  void sit(TreeBlock where, int at) {
    block = where;
    index = at;
  }

  /** Takes over where the machine stands now, and how much room it has. */
  void update(int standing) {
    block.update(index, standing, machine.room(), tree.levels());
  }

  void remove() {
    block.remove(index);
    tree.prune(block);
  }
}
