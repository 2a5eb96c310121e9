package fleet.rpc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A LIFO executor with few threads. When thousands of machines come at once, those that have waited
 * for too long are gone, and must not delay new ones: in order of arrival none would be served in
 * time. Work beyond the limit of waiting tasks is rejected. Safe for use by many threads.
 */
final class LifoExecutor implements Executor {

  private final Executor threads;
  private final int atOnce;
  private final int mostWaiting;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /**
   * For handshakes, which do nothing but compute. They have threads of their own: of those that
   * virtual threads share, each that comes would take one until the last is done, and a leader that
   * keeps its lease by others would lose it. One half of the processors is for all else.
   *
   * @param most how many wait at most
   */
  static Executor handshakes(int most) {
    ThreadFactory named = Thread.ofPlatform().daemon().name("fleet-handshake-", 0).factory();
    int atOnce = (Runtime.getRuntime().availableProcessors() + 1) / 2;
    return new LifoExecutor(Executors.newCachedThreadPool(named), atOnce, most);
  }

  /**
   * @param threads takes whatever it is given, at once
   */
  LifoExecutor(Executor threads, int atOnce, int mostWaiting) {
    this.threads = threads;
    this.atOnce = atOnce;
    this.mostWaiting = mostWaiting;
  }

  @Override
  public void execute(Runnable task) {
    if (!hasToWait(task)) {
      run(task);
    }
  }

  private synchronized boolean hasToWait(Runnable task) {
    if (running < atOnce) {
      running++;
      return false;
    }
    if (waiting.size() >= mostWaiting) {
      throw new RejectedExecutionException("%d wait already".formatted(mostWaiting));
    }
    waiting.push(task);
    return true;
  }

  private void run(Runnable task) {
    threads.execute(() -> {
      try {
        task.run();
      } finally {
        Runnable next = next();
        if (next != null) {
          run(next);
        }
      }
    });
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      running--;
    }
    return next;
  }
}
