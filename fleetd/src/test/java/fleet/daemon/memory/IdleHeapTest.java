package fleet.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdleHeapTest {

  /** How often the heap had been collected at each look, the last for ever. */
  private static final List<Integer> COLLECTIONS = List.of(1, 3, 3, 4, 4, 5, 5, 5, 5);

  @Test
  void collectsWhenABurstOfWorkIsOverAndOnceMoreWhenRestHasLasted() throws Exception {
    // After 1, 3 came 3 again: collected, which counts as the look that gave 4; then 5 and 5 again.
    assertThat(collectedAt(20 << 20)).containsExactly(3, 7, 11);
  }

  @Test
  void theMoreThereIsToCollectTheLongerTheRestIsThatItIsWorth() throws Exception {
    // 5 came four times before it was 5 for three intervals.
    assertThat(collectedAt(80 << 20)).containsExactly(9, 13);
  }

  /** After how many looks a heap is collected that has so many bytes in it. */
  private static List<Integer> collectedAt(long kept) throws InterruptedException {
    var looks = new AtomicInteger();
    var enough = new CountDownLatch(3 * COLLECTIONS.size());
    List<Integer> collectedAt = new CopyOnWriteArrayList<>();
    try (var _ =
        IdleHeap.watch(
            () -> {
              enough.countDown();
              return COLLECTIONS.get(Math.min(looks.getAndIncrement(), COLLECTIONS.size() - 1));
            },
            () -> kept,
            () -> collectedAt.add(looks.get()),
            Duration.ofMillis(1))) {
      assertThat(enough.await(30, TimeUnit.SECONDS)).isTrue();
    }
    return collectedAt;
  }
}
