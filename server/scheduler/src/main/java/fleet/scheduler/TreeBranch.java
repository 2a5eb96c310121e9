package fleet.scheduler;

/** Several parts of a tree, one after the other, and what each of them promises. */
final class TreeBranch extends TreePart {

  private static final int MOST = 16;

  private final TreePart[] parts = new TreePart[MOST];
  private final SubtreeBest promises = new SubtreeBest();
  private int size;
  private int count;

  SubtreeBest promises() {
    return promises;
  }

  int size() {
    return size;
  }

  TreePart part(int index) {
    return parts[index];
  }

  @Override
  int count() {
    return count;
  }

  @Override
  boolean isFull() {
    return size == MOST;
  }

  @Override
  MachineInfo at(int rank) {
    int part = 0;
    int before = rank;
    while (before >= parts[part].count()) {
      before -= parts[part++].count();
    }
    return parts[part].at(before);
  }

  @Override
  TreeBlock blockFor(String id) {
    int part = size - 1;
    while (part > 0 && id.compareTo(parts[part].first()) < 0) {
      part--;
    }
    return parts[part].blockFor(id);
  }

  @Override
  String first() {
    return parts[0].first();
  }

  /** So many machines came, or went. */
  void counted(int difference) {
    for (TreeBranch branch = this; branch != null; branch = branch.parent()) {
      branch.count += difference;
    }
  }

  /** Puts a part in, and has it say what it promises. */
  void insert(int index, TreePart part) {
    promises.insert(index, size);
    System.arraycopy(parts, index, parts, index + 1, size - index);
    parts[index] = part;
    size++;
    counted(part.count());
    number(index);
    part.promise(promises, index);
  }

  void remove(int index) {
    promises.remove(index, size);
    counted(-parts[index].count());
    System.arraycopy(parts, index + 1, parts, index, size - index - 1);
    parts[--size] = null;
    number(index);
  }

  private void number(int from) {
    for (int i = from; i < size; i++) {
      parts[i].sit(this, i);
    }
  }

  @Override
  TreePart split() {
    TreeBranch half = new TreeBranch();
    while (half.size < MOST / 2) {
      TreePart last = parts[size - 1];
      remove(size - 1);
      half.insert(0, last);
    }
    return half;
  }

  @Override
  void promise(SubtreeBest whole, int part) {
    promises.addTo(whole, part, size);
  }
}
