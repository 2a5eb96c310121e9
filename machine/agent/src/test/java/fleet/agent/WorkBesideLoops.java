package fleet.agent;

import fleet.coordination.EventLoop;
import fleet.coordination.ForwardingLoop;
import fleet.core.testing.Await;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what runs beside loops. It goes on when an agent is closed, and may write a file into a
 * folder that its test is about to delete. Safe for use by many threads.
 */
final class WorkBesideLoops {

  private final AtomicInteger running = new AtomicInteger();

  /** Loops whose work is counted. */
  EventLoop.Factory counted(EventLoop.Factory loops) {
    return (name, turnEnd) -> new Counted(loops.start(name, turnEnd));
  }

  /** Waits until nothing runs any more. */
  void awaitEnd() throws InterruptedException {
    Await.until(() -> running.get() == 0, () -> running + " still run");
  }

  private final class Counted extends ForwardingLoop {

    Counted(EventLoop loop) {
      super(loop);
    }

    @Override
    public void beside(String name, Runnable work) {
      running.incrementAndGet();
      super.beside(
          name,
          () -> {
            try {
              work.run();
            } finally {
              running.decrementAndGet();
            }
          });
    }
  }
}
