package fleet.core.machine;

/**
 * An amount of one resource: absolute, or a share of the machine's whole.
 *
 * @param fixed in the unit of the resource
 * @param share in ten-thousandths of the machine's whole
 */
public record Amount(long fixed, long share) {

  public static final Amount NOTHING = new Amount(0, 0);

  /** More than any machine has, and little enough that thousands of them can be added up. */
  private static final long MOST = 1L << 52;

  /** The share that is all of it. */
  public static final long WHOLE = 10_000;

  public Amount {
    fixed = Math.min(fixed, MOST);
    share = Math.min(share, MOST / WHOLE);
  }

  /** So much of a machine that has that much; nothing is a share of what is not known. */
  public long of(long whole) {
    if (share == 0) {
      return fixed;
    }
    // In two parts, as the product may be too large for a long.
    double estimate = (double) whole / WHOLE * share;
    return estimate >= MOST ? MOST : whole / WHOLE * share + whole % WHOLE * share / WHOLE;
  }

  public boolean isNothing() {
    return fixed == 0 && share == 0;
  }
}
