package fleet.agent;

import fleet.coordination.EventThread;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Has things done that wait for systemd or the disk, each on a thread of its own, and what follows
 * on the agent's event thread.
 */
final class Work {

  private static final Duration RETRY = Duration.ofSeconds(5);

  private final EventThread thread;

  Work(EventThread thread) {
    this.thread = thread;
  }

  /**
   * Begins a task.
   *
   * @param success gets its result, or
   * @param failure gets what it threw; then
   * @param after runs in any case; these three on the event thread
   */
  <T> void begin(
      Callable<T> task, Consumer<T> success, Consumer<Exception> failure, Runnable after) {
    Thread.ofVirtual()
        .name("agent-work")
        .start(() -> {
          try {
            T result = task.call();
            thread.post(() -> success.accept(result));
          } catch (Exception e) {
            thread.post(() -> failure.accept(e));
          } finally {
            thread.post(after);
          }
        });
  }

  /** Has something done again after what failed has had time to get better. */
  void later(Runnable retry) {
    thread.postAfter(RETRY, retry);
  }

  /** Why something failed, in one line. */
  static String reason(Exception fault) {
    return fault.getMessage() == null ? fault.toString() : fault.getMessage();
  }
}
