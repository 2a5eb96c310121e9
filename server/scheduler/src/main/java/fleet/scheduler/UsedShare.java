package fleet.scheduler;

import fleet.core.machine.Resources;

/**
 * How much of a machine is reserved, as classic Swarm weighed it: the share of its processors and
 * that of its memory, added up.
 */
final class UsedShare {

  /** The share of one resource if all of it is reserved. */
  static final int WHOLE = 1 << 14;

  /** Twice what both together come to with an overcommit of two. */
  private static final int MOST = 1 << 17;

  /** Steps below each share, which tell machines of one share apart by their number of units. */
  private static final int LOADS = 1 << 13;

  private UsedShare() {}

  /** In steps that leave room for a number of units below each. */
  static int of(Resources reserved, Resources total) {
    long share = share(reserved.cpuMillis(), total.cpuMillis());
    return LOADS * (int) Math.min(MOST, share + share(reserved.memory(), total.memory()));
  }

  private static long share(long part, long whole) {
    return whole == 0 ? 0 : (long) ((double) part / whole * WHOLE);
  }

  static int withLoad(int share, int load) {
    return share + Math.min(load, LOADS - 1);
  }

  /** Such as "30 % of its processors and 45 % of its memory are reserved". */
  static String inWords(Resources reserved, Resources total) {
    return percent(reserved.cpuMillis(), total.cpuMillis())
        + " of its processors and "
        + percent(reserved.memory(), total.memory())
        + " of its memory reserved";
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "an unknown share" : 100 * part / whole + " %";
  }
}
