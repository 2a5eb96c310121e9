package fleet.coordination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on a thread of its own.
 *
 * <p>Work that throws is logged and does not end the thread, unless it is an {@link Error}: after
 * one, work may be half done, and the thread ends with it as uncaught.
 */
public final class EventThread implements EventLoop {

  private static final Logger log = LoggerFactory.getLogger(EventThread.class);

  /** How long the turn's end is delayed to collect more events. */
  private static final long LONGEST_TURN = Duration.ofMillis(200).toNanos();

  private static final int MOST_AT_ONCE = 256;

  private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong orders = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Delayed work, the next first. Belongs to the thread, which waits at most until the next is due.
   */
  private final PriorityQueue<Later> later = new PriorityQueue<>();

  private final Thread thread;
  private final Runnable turnEnd;
  private final LongSupplier clock;

  /** Starts the thread. */
  public EventThread(String name, Runnable turnEnd) {
    this(name, turnEnd, System::nanoTime);
  }

  /**
   * @param clock in nanoseconds; never goes back
   */
  EventThread(String name, Runnable turnEnd, LongSupplier clock) {
    this.turnEnd = turnEnd;
    this.clock = clock;
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    thread.start();
  }

  /** Delayed work. Belongs to the thread. */
  private final class Later implements Comparable<Later>, Timer {

    /** When it is due, as the clock tells it. */
    private final long at;

    /** Among those that are due at one time. */
    private final long order = orders.incrementAndGet();

    /** How long after it is done it is done again, in nanoseconds; 0 for never. */
    private final long period;

    private final Runnable work;
    private boolean cancelled;

    Later(long delay, long period, Runnable work) {
      this.at = nanoTime() + delay;
      this.period = period;
      this.work = work;
    }

    void begin() {
      if (!cancelled) {
        later.add(this);
      }
    }

    void run() {
      guarded(work);
      if (period > 0) {
        Later _ = putOff(period, period, work);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      later.remove(this);
    }

    @Override
    public int compareTo(Later other) {
      int byTime = Long.compare(at - other.at, 0);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    long left(long now) {
      return at - now;
    }
  }

  @Override
  public void post(Runnable work) {
    if (!closed.get()) {
      queue.add(work);
    }
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    return putOff(delay.toNanos(), 0, work);
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    Later _ = putOff(period.toNanos(), period.toNanos(), work);
  }

  private Later putOff(long delay, long period, Runnable work) {
    var due = new Later(delay, period, work);
    if (Thread.currentThread().equals(thread)) {
      due.begin();
    } else {
      post(due::begin);
    }
    return due;
  }

  @Override
  public long nanoTime() {
    return clock.getAsLong();
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
      // Cancels this call only: another entry may be the one that wakes the thread to end.
      task.cancel(false);
    }
    return task.await();
  }

  /** Releases waiters of work that will not be done any more. */
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
    long began = 0;
    boolean begun = false;
    try {
      while (!closed.get()) {
        takeNext(turn);
        if (!begun) {
          begun = true;
          began = nanoTime();
        }
        turn.forEach(this::guarded);
        turn.clear();
        runDue();
        if (queue.isEmpty() || nanoTime() - began >= LONGEST_TURN) {
          guarded(turnEnd);
          begun = false;
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

  /** A method of its own, so that an idle thread does not hold on to its last work. */
  private void takeNext(List<Runnable> turn) throws InterruptedException {
    Runnable first = next();
    if (first != null) {
      turn.add(first);
      queue.drainTo(turn, MOST_AT_ONCE);
    }
  }

  /** Null if a delayed event is due before anything else comes. */
  private @Nullable Runnable next() throws InterruptedException {
    Later earliest = later.peek();
    return earliest == null
        ? queue.take()
        : queue.poll(earliest.left(nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void runDue() {
    long now = nanoTime();
    Later due;
    while ((due = later.peek()) != null && due.left(now) <= 0 && !closed.get()) {
      later.remove().run();
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
