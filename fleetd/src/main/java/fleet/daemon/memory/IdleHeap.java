package fleet.daemon.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Gives the memory that a burst of work needed back to the machine once it is over: Java collects
 * only when it runs out of space, and so would keep all of it at rest.
 */
public final class IdleHeap implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(15);

  /**
   * To collect this much, in bytes, is worth one more interval of rest: the work of a collection
   * grows with what is kept, and rest that has lasted is likely to last.
   */
  private static final long PER_INTERVAL = 32L << 20;

  /**
   * After so many more intervals of rest it is collected once more: connections and what was kept
   * for them are closed by then, and compiled code that nobody has run meanwhile goes with it.
   */
  private static final int SECOND_LOOK = 3;

  private final LongSupplier collections;
  private final LongSupplier kept;
  private final Runnable collect;
  private final Thread thread;
  private long tidied;
  private long seen;
  private long quiet;
  private boolean once;

  private IdleHeap(
      LongSupplier collections, LongSupplier kept, Runnable collect, Duration interval) {
    this.collections = collections;
    this.kept = kept;
    this.collect = collect;
    this.thread = Thread.ofVirtual().name("idle-heap").start(() -> watch(interval));
  }

  /** Watches the heap of this process. */
  public static IdleHeap watch() {
    return new IdleHeap(IdleHeap::collections, IdleHeap::used, IdleHeap::giveBack, INTERVAL);
  }

  private static long used() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Gives back now what need not be held. */
  public static void giveBack() {
    HeapSlack.AT_REST.collect();
    FilePages.letGo();
  }

  /**
   * Watches a heap.
   *
   * @param collections how often it was collected so far
   * @param kept how much is in it, in bytes
   * @param collect collects all of it
   */
  static IdleHeap watch(
      LongSupplier collections, LongSupplier kept, Runnable collect, Duration interval) {
    return new IdleHeap(collections, kept, collect, interval);
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  private void watch(Duration interval) {
    try {
      while (true) {
        Thread.sleep(interval);
        look();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Work is over where there were collections since the last time, and none of late. */
  private void look() {
    long now = collections.getAsLong();
    quiet = now == seen ? quiet + 1 : 0;
    long rest = quiet - kept.getAsLong() / PER_INTERVAL;
    boolean over = now > tidied && rest > 0;
    if (over || (once && rest > SECOND_LOOK)) {
      collect.run();
      now = collections.getAsLong();
      tidied = now;
      once = over;
    }
    seen = now;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
