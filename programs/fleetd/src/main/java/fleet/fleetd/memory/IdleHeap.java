package fleet.fleetd.memory;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Gives the memory that a burst of work needed back to the machine once it is over: Java collects
 * only when it runs out of space, and so would keep all of it at rest.
 */
public final class IdleHeap implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(15);

  private final LongSupplier allocated;
  private final LongSupplier kept;
  private final Runnable collect;
  private final Burst burst = new Burst();
  private final Thread thread;

  /**
   * Watches a heap.
   *
   * @param allocated how much was allocated so far, in bytes
   * @param kept how much is in it, in bytes
   * @param collect collects all of it
   */
  IdleHeap(LongSupplier allocated, LongSupplier kept, Runnable collect, Duration interval) {
    this.allocated = allocated;
    this.kept = kept;
    this.collect = collect;
    this.thread = Thread.ofVirtual().name("idle-heap").start(() -> watch(interval));
  }

  /** Watches the heap of this process. */
  public static IdleHeap watch() {
    return new IdleHeap(
        ManagementFactory.getPlatformMXBean(ThreadMXBean.class)::getTotalThreadAllocatedBytes,
        () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        IdleHeap::giveBack,
        INTERVAL);
  }

  /** Gives back now what need not be held. */
  public static void giveBack() {
    HeapSlack.AT_REST.collect();
    FilePages.letGo();
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

  private void look() {
    if (burst.isOver(allocated.getAsLong(), kept.getAsLong())) {
      collect.run();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
