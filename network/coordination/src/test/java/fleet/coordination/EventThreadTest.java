package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EventThreadTest {

  @Test
  void aTurnEndsThoughWorkNeverDoes() throws Exception {
    var turnEnds = new CountDownLatch(3);
    try (var thread = new EventThread("test", turnEnds::countDown)) {
      postForEver(thread);
      turnEnds.await();
    }
  }

  @Test
  void aTurnEndsInTimeThoughThousandsWait() throws Exception {
    var turnEnded = new CountDownLatch(1);
    var turnEndedAmidThem = new AtomicInteger();
    var done = new AtomicInteger();
    var clock = new AtomicLong();
    try (var thread =
        new EventThread(
            "test",
            () -> {
              turnEndedAmidThem.compareAndSet(0, done.get());
              turnEnded.countDown();
            },
            clock::get)) {
      // All of them are there before the first is done.
      thread.post(() -> {
        for (int i = 0; i < 10_000; i++) {
          thread.post(() -> {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            done.incrementAndGet();
          });
        }
      });
      turnEnded.await();
      assertThat(turnEndedAmidThem).hasValueBetween(1, 1_000);
    }
  }

  /** Nobody would notice an engine whose loop has lost what it was about to do. */
  @Test
  void anErrorEndsItAsOneThatNobodyCatchesAlsoWhereSomebodyWaitsForTheAnswer() throws Exception {
    var uncaught = new LinkedBlockingQueue<Throwable>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, fault) -> uncaught.add(fault));
    try {
      for (boolean waits : new boolean[] {false, true}) {
        try (var thread = new EventThread("test", () -> {})) {
          var error = new StackOverflowError();
          if (waits) {
            assertThatThrownBy(() -> thread.call(() -> fail(error))).hasCause(error);
          } else {
            thread.post(() -> fail(error));
          }
          assertThat(uncaught.take()).isSameAs(error);
        }
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static int fail(Error error) {
    throw error;
  }

  private static void postForEver(EventThread thread) {
    thread.post(() -> postForEver(thread));
  }

  @Test
  void whatIsCancelledIsNotDone() throws Exception {
    var done = new AtomicInteger();
    var passed = new CountDownLatch(1);
    var clock = new AtomicLong();
    try (var thread = new EventThread("test", () -> {}, clock::get)) {
      thread.post(() -> {
        EventLoop.Timer timer = thread.postAfter(Duration.ofMillis(20), done::incrementAndGet);
        thread.postAfter(Duration.ofMillis(10), timer::cancel);
        thread.postAfter(Duration.ofMillis(30), passed::countDown);
        // On a busy machine all of them may be due at once.
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(30));
      });
      passed.await();
      assertThat(done).hasValue(0);
    }
  }

  @Test
  void whatWasPutOffElsewhereAndIsNotYetKnownIsCancelledToo() throws Exception {
    var done = new AtomicInteger();
    var cancelled = new CountDownLatch(1);
    var putOff = new CompletableFuture<EventLoop.Timer>();
    try (var thread = new EventThread("test", () -> {})) {
      thread.post(() -> {
        putOff.join().cancel();
        cancelled.countDown();
      });
      putOff.complete(thread.postAfter(Duration.ZERO, done::incrementAndGet));
      cancelled.await();
      // The thread looks at work that is put off between the two calls.
      assertThat(thread.call(() -> 1)).isEqualTo(thread.call(() -> 1));
      assertThat(done).hasValue(0);
    }
  }

  @Test
  void whoHasCancelledIsNotWokenUp() throws Exception {
    var turns = new AtomicInteger();
    var later = new CompletableFuture<Integer>();
    try (var thread = new EventThread("test", turns::incrementAndGet)) {
      thread.post(() -> {
        thread.postAfter(Duration.ofMillis(20), () -> {}).cancel();
        thread.postAfter(Duration.ofMillis(60), () -> later.complete(turns.get()));
      });
      // On a busy machine all of it may be one turn, which has not ended then.
      assertThat(later.get()).isLessThan(2);
    }
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

  /** A caller that gives up leaves the entry in the queue that wakes the thread to end. */
  @Test
  void closingEndsTheThreadWhileOthersCall() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      var thread = new EventThread("test", () -> {});
      Thread caller = Thread.ofPlatform().start(() -> callUntilItEnds(thread));
      assertThat(thread.call(() -> 1)).isEqualTo(1);
      thread.close();
      caller.join();
    }
  }

  private static void callUntilItEnds(EventThread thread) {
    try {
      while (true) {
        int _ = thread.call(() -> 1);
      }
    } catch (IllegalStateException ended) {
      // Closed.
    }
  }
}
