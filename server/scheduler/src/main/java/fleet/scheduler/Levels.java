package fleet.scheduler;

import fleet.core.machine.Resources;

/**
 * How much room there is on machines of one size, in levels: of processors and of memory, two for
 * each doubling up to all there is. The lowest is any room at all, even less than none.
 */
final class Levels {

  /** For each of the two. */
  static final int COUNT = 16;

  private final long[] cores;
  private final long[] memory;

  Levels(Size size) {
    cores = thresholds(size.resources().cpuMillis());
    memory = thresholds(size.resources().memory());
  }

  private static long[] thresholds(long whole) {
    long[] thresholds = new long[COUNT];
    thresholds[0] = Long.MIN_VALUE;
    for (int level = 1; level < COUNT; level++) {
      thresholds[level] = (long) (whole * Math.pow(2, (level + 1 - COUNT) / 2.0));
    }
    return thresholds;
  }

  int cores(Resources resources) {
    return level(cores, resources.cpuMillis());
  }

  int memory(Resources resources) {
    return level(memory, resources.memory());
  }

  private static int level(long[] thresholds, long amount) {
    int level = COUNT - 1;
    while (amount < thresholds[level]) {
      level--;
    }
    return level;
  }
}
