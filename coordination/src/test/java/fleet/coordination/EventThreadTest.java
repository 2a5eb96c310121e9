package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventThreadTest {

  @Test
  void aTurnEndsThoughWorkNeverDoes() throws Exception {
    var turnEnds = new CountDownLatch(3);
    try (var thread = new EventThread("test", turnEnds::countDown)) {
      postForEver(thread);
      assertThat(turnEnds.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void postForEver(EventThread thread) {
    thread.post(() -> postForEver(thread));
  }

  @Test
  void workThatThrowsEndsNothing() {
    try (var thread = new EventThread("test", () -> {})) {
      thread.post(() -> {
        throw new IllegalStateException("a fault");
      });
      assertThat(thread.call(() -> 1)).isEqualTo(1);
    }
  }
}
