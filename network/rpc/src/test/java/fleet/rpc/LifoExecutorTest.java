package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class LifoExecutorTest {

  /** Work that has been given to threads and goes on when the test says so. */
  private final Queue<Runnable> threads = new ArrayDeque<>();

  private final List<String> done = new ArrayList<>();
  private final LifoExecutor few = new LifoExecutor(threads::add, 2, 3);

  private void give(String... names) {
    for (String name : names) {
      few.execute(() -> done.add(name));
    }
  }

  private void finishAll() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  @Test
  void whatHasJustComeGoesBeforeWhatHasWaited() {
    give("first", "second", "third", "fourth", "fifth");
    finishAll();
    assertThat(done).containsExactly("first", "second", "fifth", "fourth", "third");
  }

  @Test
  void noMoreRunAtOnceThanItMay() {
    give("first", "second", "third", "fourth");
    assertThat(threads).hasSize(2);
    threads.remove().run();
    assertThat(threads).as("one is done, and one has taken its place").hasSize(2);
  }

  @Test
  void noMoreWaitThanMay() {
    give("first", "second", "third", "fourth", "fifth");
    assertThatThrownBy(() -> give("sixth")).isInstanceOf(RejectedExecutionException.class);
    finishAll();
    assertThat(done).containsExactly("first", "second", "fifth", "fourth", "third");
  }

  @Test
  void placesAreFreeAgainWhenAllIsDone() {
    give("first", "second", "third");
    finishAll();
    give("fourth", "fifth");
    assertThat(threads).hasSize(2);
  }

  @Test
  void oneThatFailsTakesNobodysPlaceForGood() {
    few.execute(() -> {
      throw new IllegalStateException("a handshake that nobody can make");
    });
    give("second", "third");
    assertThatThrownBy(() -> threads.remove().run()).isInstanceOf(IllegalStateException.class);
    finishAll();
    assertThat(done).containsExactlyInAnyOrder("second", "third");
  }
}
