package fleet.scheduler;

import fleet.core.machine.Resources;
import java.util.Comparator;

/**
 * The size of a machine, to compare shares: its processors and its memory, rounded down to five
 * binary digits, so that machines of one kind have one size although their kernels reserve
 * different amounts.
 *
 * @param resources zero if it is not known
 */
record Size(Resources resources) implements Comparable<Size> {

  private static final int DIGITS = 5;
  private static final Comparator<Size> ORDER =
      Comparator.<Size>comparingLong(size -> size.resources.cpuMillis())
          .thenComparingLong(size -> size.resources.memory());

  static Size of(Resources total) {
    return new Size(new Resources(rounded(total.cpuMillis()), rounded(total.memory()), 0));
  }

  private static long rounded(long number) {
    int zeros = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(number) - DIGITS);
    return number >> zeros << zeros;
  }

  @Override
  public int compareTo(Size other) {
    return ORDER.compare(this, other);
  }
}
