package fleet.agent;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Runs tasks that wait for systemd or the disk, each on a thread of its own, and their results on
 * the agent's loop.
 */
final class BackgroundWork {

  static final Duration RETRY = Duration.ofSeconds(5);

  private final EventLoop loop;

  BackgroundWork(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * @param success gets its result, or
   * @param failure gets what it threw; then
   * @param after runs in any case; these three on the loop
   */
  <T> void begin(
      Callable<T> task, Consumer<T> success, Consumer<Exception> failure, Runnable after) {
    loop.beside(
        "agent-work",
        () -> {
          try {
            T result = task.call();
            loop.post(() -> success.accept(result));
          } catch (Exception e) {
            loop.post(() -> failure.accept(e));
          } finally {
            loop.post(after);
          }
        });
  }

  /** The time of the loop. */
  long nanoTime() {
    return loop.nanoTime();
  }

  /** Runs something again after a pause for a retry. */
  void later(Runnable retry) {
    after(RETRY, retry);
  }

  /** Runs something on the loop after some time. */
  void after(Duration time, Runnable action) {
    loop.postAfter(time, action);
  }

  /** Why something failed, in one line. */
  static String reason(Exception fault) {
    return fault.getMessage() == null ? fault.toString() : fault.getMessage();
  }
}
