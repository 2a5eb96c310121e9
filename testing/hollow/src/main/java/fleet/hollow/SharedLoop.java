package fleet.hollow;

import fleet.coordination.EventLoop;
import fleet.coordination.LoopCall;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop without a thread of its own: it borrows a virtual one while there is work. Thousands of
 * them share the processors, where as many threads would not fit.
 */
final class SharedLoop implements EventLoop {

  private static final Logger log = LoggerFactory.getLogger(SharedLoop.class);

  private final String name;
  private final Runnable turnEnd;
  private final ScheduledExecutorService timer;
  private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean turning = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * @param timer shared with other loops
   */
  SharedLoop(String name, Runnable turnEnd, ScheduledExecutorService timer) {
    this.name = name;
    this.turnEnd = turnEnd;
    this.timer = timer;
  }

  @Override
  public void post(Runnable work) {
    if (!closed) {
      queue.add(work);
      wake();
    }
  }

  private void wake() {
    if (turning.compareAndSet(false, true)) {
      Thread.ofVirtual().name(name).start(this::turn);
    }
  }

  private void turn() {
    Runnable work;
    while (!closed && (work = queue.poll()) != null) {
      guarded(work);
    }
    if (!closed) {
      guarded(turnEnd);
    }
    turning.set(false);
    if (!queue.isEmpty() && !closed) {
      wake();
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.error("{}: unexpected fault, going on: {}", name, e, e);
    }
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    var wanted = new AtomicBoolean(true);
    Future<?> due =
        timer.schedule(
            () ->
                post(() -> {
                  if (wanted.get()) {
                    work.run();
                  }
                }),
            delay.toNanos(),
            TimeUnit.NANOSECONDS);
    return () -> {
      wanted.set(false);
      due.cancel(false);
    };
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    Future<?> _ =
        timer.schedule(
            () -> {
              if (!closed) {
                post(work);
                postEvery(period, work);
              }
            },
            period.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void beside(String work, Runnable done) {
    Thread.ofVirtual().name(work).start(done);
  }

  @Override
  public <T> T call(Callable<T> work) {
    var task = new LoopCall<T>(work);
    post(task);
    if (closed) {
      task.cancel(false);
    }
    return task.await();
  }

  @Override
  public boolean answersWithin(Duration time) throws InterruptedException {
    var answered = new CountDownLatch(1);
    post(answered::countDown);
    return answered.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Work that still waits is dropped, and nobody waits for the work at hand. */
  @Override
  public void close() {
    closed = true;
    Runnable work;
    while ((work = queue.poll()) != null) {
      if (work instanceof FutureTask<?> task) {
        task.cancel(false);
      }
    }
  }
}
