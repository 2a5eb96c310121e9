package fleet.registry.etcd;

import fleet.registry.Threads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something at once and then again and again, on a thread of its own, until it is closed. */
final class PeriodicTask implements EtcdRegistry.Background {

  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private final Duration every;
  private final Runnable task;

  PeriodicTask(String name, Duration every, Runnable task) {
    this.every = every;
    this.task = task;
    this.thread = Thread.ofVirtual().name(name).start(this::run);
  }

  private void run() {
    try {
      do {
        task.run();
      } while (!closing.await(every.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    Threads.join(thread);
  }
}
