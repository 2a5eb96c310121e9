package fleet.fleetd.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of the heap is free after a full collection, in percent: the heap grows to the least,
 * and shrinks to the most. Its youngest part, where all that is new comes to be, is made in
 * proportion to the whole: the smaller that is, the oftener it is collected.
 */
record HeapSlack(int least, int most) {

  private static final Logger LOG = LoggerFactory.getLogger(HeapSlack.class);

  /** For a process that has nothing to do. */
  static final HeapSlack AT_REST = new HeapSlack(0, 5);

  /** For one that has much to do; what is not used takes no memory of the machine. */
  static final HeapSlack AT_WORK = new HeapSlack(75, 80);

  /** Collects all of the heap, and leaves it this slack. */
  void collect() {
    HotSpotDiagnosticMXBean java =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    HeapSlack before = of(java);
    apply(java);
    System.gc();
    before.apply(java);
  }

  private static HeapSlack of(HotSpotDiagnosticMXBean java) {
    return new HeapSlack(
        Integer.parseInt(java.getVMOption("MinHeapFreeRatio").getValue()),
        Integer.parseInt(java.getVMOption("MaxHeapFreeRatio").getValue()));
  }

  /** The least is never to be above the most, also in between. */
  private void apply(HotSpotDiagnosticMXBean java) {
    try {
      java.setVMOption("MinHeapFreeRatio", "0");
      java.setVMOption("MaxHeapFreeRatio", Integer.toString(most));
      java.setVMOption("MinHeapFreeRatio", Integer.toString(least));
    } catch (IllegalArgumentException e) {
      LOG.debug("this Java's heap keeps its own slack", e);
    }
  }
}
