package fleet.fleetd.memory;

/**
 * Tells when a burst of work is over, from how much was allocated between looks at equal intervals.
 *
 * <p>Who only waits allocates too, for heartbeats and renewals, and Java collects that now and
 * then. So rest is little allocation. Not safe for use by many threads.
 */
final class Burst {

  /**
   * Bytes that a process at rest allocates within an interval: it only exchanges heartbeats, with
   * up to some twenty others. With more of them it is never at rest, and keeps its heap: with a
   * heap that fits closely it would collect all the time.
   */
  private static final long RESTING = 8L << 20;

  /**
   * To collect this much, in bytes, is worth one more interval of rest: the work of a collection
   * grows with what is kept, and rest that has lasted is likely to last.
   */
  private static final long PER_INTERVAL = 32L << 20;

  /**
   * After so many more intervals of rest it is over once more: connections and what was kept for
   * them are closed by then, and compiled code that nobody has run meanwhile goes with it.
   */
  private static final int SECOND_LOOK = 3;

  private long before;
  private long quiet;
  private boolean worked;
  private boolean once;

  /**
   * Looks, an interval after the last look.
   *
   * @param allocated how much was allocated so far, in bytes
   * @param kept how much is in the heap, in bytes
   * @return whether the heap is to be collected: once when a burst is over, and once more later
   */
  boolean isOver(long allocated, long kept) {
    see(allocated - before);
    before = allocated;
    long rest = quiet - kept / PER_INTERVAL;
    if (worked && rest > 0) {
      worked = false;
      once = true;
      return true;
    }
    if (once && rest > SECOND_LOOK) {
      once = false;
      return true;
    }
    return false;
  }

  private void see(long lately) {
    boolean resting = lately <= RESTING;
    quiet = resting ? quiet + 1 : 0;
    worked |= !resting;
  }
}
