package fleet.fleetd.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the heap collected whenever what is kept in it has doubled: only then does Java give what is
 * new room in proportion to what is kept. A leader that thousands of machines come to would go on
 * with the few megabytes that suit a small machine, and keep what should be gone.
 */
public final class GrownHeap implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GrownHeap.class);

  /** Below this, there is nothing to be gained. */
  private static final long SMALLEST = 32L << 20;

  private final MemoryPoolMXBean kept;
  private final NotificationListener grown = (notification, _) -> look(notification.getType());

  private GrownHeap(MemoryPoolMXBean kept) {
    this.kept = kept;
  }

  /** Watches the heap of this process; empty if its Java does not tell of that. */
  public static Optional<GrownHeap> watch() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
        .findFirst()
        .map(GrownHeap::new)
        .map(GrownHeap::begin);
  }

  private GrownHeap begin() {
    emitter().addNotificationListener(grown, null, null);
    kept.setUsageThreshold(next(kept.getUsage()));
    return this;
  }

  private static NotificationEmitter emitter() {
    return (NotificationEmitter) ManagementFactory.getMemoryMXBean();
  }

  private void look(String what) {
    if (what.equals(MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED)) {
      HeapSlack.AT_WORK.collect();
      kept.setUsageThreshold(next(kept.getUsage()));
    }
  }

  /**
   * How many bytes are kept when it is collected next; 0 for never, as when it has grown to its
   * most: to collect all of a large heap takes a second, and would not give it any more room.
   */
  static long next(MemoryUsage now) {
    long next = Math.max(SMALLEST, 2 * now.getUsed());
    long most = now.getMax();
    return most >= 0 && (next > most || now.getCommitted() >= most) ? 0 : next;
  }

  @Override
  public void close() {
    try {
      emitter().removeNotificationListener(grown);
    } catch (ListenerNotFoundException e) {
      LOG.debug("the heap is watched no more", e);
    }
  }
}
