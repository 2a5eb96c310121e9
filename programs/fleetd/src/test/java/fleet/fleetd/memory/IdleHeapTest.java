package fleet.fleetd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdleHeapTest {

  @Test
  void isCollectedWhenWorkIsOverAndOnceMoreWhenRestHasLasted() throws Exception {
    var looks = new AtomicInteger();
    var collected = new AtomicInteger();
    var enough = new CountDownLatch(30);
    try (var _ =
        new IdleHeap(
            () -> {
              enough.countDown();
              return looks.incrementAndGet() < 5 ? looks.get() * (100L << 20) : 500L << 20;
            },
            () -> 0,
            collected::incrementAndGet,
            Duration.ofMillis(1))) {
      enough.await();
    }
    assertThat(collected).hasValue(2);
  }
}
