package fleet.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SoughtLeadersTest {

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final HostPort A = new HostPort("a", 1);
  private static final HostPort B = new HostPort("b", 2);

  private volatile List<HostPort> candidates = List.of();
  private final AtomicInteger looks = new AtomicInteger();
  private final SoughtLeaders leaders =
      new SoughtLeaders(() -> {
        looks.incrementAndGet();
        return candidates;
      });

  private Leaders.Sighting other() throws InterruptedException {
    leaders.awaitOther(leaders.last(), SHORT);
    return leaders.last();
  }

  @Test
  void nobodyIsAskedBeforeSomebodyWantsToKnow() throws Exception {
    candidates = List.of(A);
    assertThat(leaders.last()).isEqualTo(Leaders.Sighting.NONE);
    assertThat(looks).hasValue(0);
    assertThat(other().address()).contains(A);
    assertThat(leaders.last().address()).contains(A);
    assertThat(looks).hasValue(1);
  }

  @Test
  void whereOneDoesNotAnswerTheNextIsTriedAndThenTheFirstAgain() throws Exception {
    candidates = List.of(A, B);
    assertThat(other().address()).contains(A);
    assertThat(other().address()).contains(B);
    assertThat(other().address()).contains(A);
    candidates = List.of(B);
    assertThat(other().address()).contains(B);
    assertThat(other().address()).contains(B);
    candidates = List.of();
    assertThat(other()).isEqualTo(Leaders.Sighting.NONE);
  }

  @Test
  void whatCannotBeFoundOutIsTriedAgain() throws Exception {
    SoughtLeaders failing =
        new SoughtLeaders(() -> {
          throw new IllegalStateException("no way");
        });
    failing.awaitOther(Leaders.Sighting.NONE, SHORT);
    assertThat(failing.last()).isEqualTo(Leaders.Sighting.NONE);
  }

  @Test
  void oneLooksForAllWhoWait() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    SoughtLeaders slow =
        new SoughtLeaders(() -> {
          looks.incrementAndGet();
          asked.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return List.of(A);
        });
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  slow.awaitOther(Leaders.Sighting.NONE, Duration.ofSeconds(20));
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    asked.await();
    goOn.countDown();
    for (Thread thread : waiting) {
      thread.join();
    }
    assertThat(slow.last().address()).contains(A);
    assertThat(looks).hasValue(1);
  }
}
