package fleet.scheduler;

import fleet.core.machine.Resources;
import java.util.Arrays;

/**
 * Up to a few dozen machines, side by side: to look at each of them takes no longer than to find
 * out which are worth it.
 */
final class TreeBlock extends TreePart {

  private static final int MOST = 64;
  private static final int FEW = 4;

  private TreeLeaf[] seats = new TreeLeaf[FEW];
  private int[] standings = new int[FEW];
  private byte[] cores = new byte[FEW];
  private byte[] memory = new byte[FEW];
  private long[] freeCores = new long[FEW];
  private long[] freeMemory = new long[FEW];
  private int count;

  @Override
  int count() {
    return count;
  }

  @Override
  MachineInfo at(int index) {
    return seats[index].machine();
  }

  @Override
  String first() {
    return seats[0].machine().id();
  }

  @Override
  TreeBlock blockFor(String id) {
    return this;
  }

  @Override
  boolean isFull() {
    return count == MOST;
  }

  int standing(int index) {
    return standings[index];
  }

  /** Whether a machine has room of these levels, at least. */
  boolean reaches(int index, int coresLevel, int memoryLevel) {
    return cores[index] >= coresLevel && memory[index] >= memoryLevel;
  }

  /** Whether it has room for so much. */
  boolean hasRoom(int index, Resources asked) {
    return hasRoom(asked.cpuMillis(), freeCores[index])
        && hasRoom(asked.memory(), freeMemory[index]);
  }

  private static boolean hasRoom(long asked, long free) {
    return asked == 0 || asked <= free;
  }

  // ---- what is in it

  /** Gives a machine a seat among those that are here, and leaves it to say how it stands. */
  void insert(TreeLeaf seat) {
    String id = seat.machine().id();
    int index = count;
    while (index > 0 && id.compareTo(seats[index - 1].machine().id()) < 0) {
      index--;
    }
    if (count == seats.length) {
      widen(2 * count);
    }
    move(index, this, index + 1, count - index);
    seats[index] = seat;
    count++;
    number(index);
    counted(1);
  }

  private void widen(int width) {
    seats = Arrays.copyOf(seats, width);
    standings = Arrays.copyOf(standings, width);
    cores = Arrays.copyOf(cores, width);
    memory = Arrays.copyOf(memory, width);
    freeCores = Arrays.copyOf(freeCores, width);
    freeMemory = Arrays.copyOf(freeMemory, width);
  }

  void remove(int index) {
    move(index + 1, this, index, count - index - 1);
    seats[--count] = null;
    number(index);
    counted(-1);
  }

  private void counted(int difference) {
    TreeBranch above = parent();
    if (above != null) {
      above.counted(difference);
    }
  }

  private void move(int from, TreeBlock to, int target, int number) {
    System.arraycopy(seats, from, to.seats, target, number);
    System.arraycopy(standings, from, to.standings, target, number);
    System.arraycopy(cores, from, to.cores, target, number);
    System.arraycopy(memory, from, to.memory, target, number);
    System.arraycopy(freeCores, from, to.freeCores, target, number);
    System.arraycopy(freeMemory, from, to.freeMemory, target, number);
  }

  private void number(int from) {
    for (int i = from; i < count; i++) {
      seats[i].sit(this, i);
    }
  }

  @Override
  TreePart split() {
    TreeBlock half = new TreeBlock();
    half.widen(MOST);
    int stay = count / 2;
    move(stay, half, 0, count - stay);
    half.count = count - stay;
    half.number(0);
    Arrays.fill(seats, stay, count, null);
    counted(-half.count);
    count = stay;
    return half;
  }

  // ---- what it promises

  /** Takes over how a machine stands, and says what that promises. */
  void update(int index, int standing, Resources room, Levels levels) {
    int coresLevel = levels.cores(room);
    int memoryLevel = levels.memory(room);
    standings[index] = standing;
    cores[index] = (byte) coresLevel;
    memory[index] = (byte) memoryLevel;
    freeCores[index] = room.cpuMillis();
    freeMemory[index] = room.memory();
    TreePart part = this;
    TreeBranch above = parent();
    // A part that promised as much before is in others that did.
    while (above != null
        && above.promises().raise(part.index(), coresLevel, memoryLevel, standing)) {
      part = above;
      above = above.parent();
    }
  }

  @Override
  void promise(SubtreeBest whole, int part) {
    for (int i = 0; i < count; i++) {
      whole.raise(part, cores[i], memory[i], standings[i]);
    }
  }
}
