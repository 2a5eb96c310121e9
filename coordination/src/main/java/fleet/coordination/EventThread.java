package fleet.coordination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on a thread of its own.
 *
 * <p>Work that throws is logged and does not end the thread.
 */
public final class EventThread implements EventLoop {

  private static final Logger log = LoggerFactory.getLogger(EventThread.class);

  /** How often the turn's end is put off for the sake of what has come in meanwhile. */
  private static final int MOST_TURNS = 100;

  private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ScheduledExecutorService timer;
  private final Thread thread;
  private final Runnable turnEnd;

  /** Starts the thread. */
  public EventThread(String name, Runnable turnEnd) {
    this.turnEnd = turnEnd;
    this.timer = timer(name + "-timer");
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    thread.start();
  }

  private static ScheduledExecutorService timer(String name) {
    var executor =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name(name).daemon(true).factory());
    executor.setRemoveOnCancelPolicy(true);
    executor.setRejectedExecutionHandler((work, closing) -> {});
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  @Override
  public void post(Runnable work) {
    if (!closed.get()) {
      queue.add(work);
    }
  }

  @Override
  public void postAfter(Duration delay, Runnable work) {
    if (!closed.get()) {
      Future<?> _ = timer.schedule(() -> post(work), delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    long millis = period.toMillis();
    Future<?> _ =
        timer.scheduleWithFixedDelay(() -> post(work), millis, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void beside(String name, Runnable work) {
    Thread.ofVirtual().name(name).start(work);
  }

  @Override
  public <T> T call(Callable<T> work) {
    var task = new LoopCall<T>(work);
    post(task);
    if (closed.get()) {
      cancelQueued();
      task.cancel(false);
    }
    return task.await();
  }

  /** Frees those who wait for work that will not be done any more. */
  private void cancelQueued() {
    Runnable work;
    while ((work = queue.poll()) != null) {
      if (work instanceof FutureTask<?> task) {
        task.cancel(false);
      }
    }
  }

  @Override
  public boolean answersWithin(Duration time) throws InterruptedException {
    var answered = new CountDownLatch(1);
    post(answered::countDown);
    return answered.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run() {
    List<Runnable> turn = new ArrayList<>();
    int turns = 0;
    try {
      while (!closed.get()) {
        turn.add(queue.take());
        queue.drainTo(turn);
        turn.forEach(this::guarded);
        turn.clear();
        if (queue.isEmpty() || ++turns >= MOST_TURNS) {
          turns = 0;
          guarded(turnEnd);
        }
      }
    } catch (InterruptedException closing) {
      log.debug("{} ends", thread.getName());
    } finally {
      closed.set(true);
      cancelQueued();
      ended.countDown();
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.error("{}: unexpected fault, going on: {}", thread.getName(), e, e);
    }
  }

  /** Ends the thread after the work at hand; what is still queued is dropped. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      timer.shutdownNow();
      queue.add(() -> {});
      if (!Thread.currentThread().equals(thread)) {
        awaitEnd();
      }
    }
  }

  private void awaitEnd() {
    try {
      if (!ended.await(10, TimeUnit.SECONDS)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
