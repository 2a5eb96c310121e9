package fleet.coordination;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * A loop whose time passes only when a test says so. The thread that posts work does it at once,
 * with all that follows from it, so a call returns when nothing more is to be done before time
 * passes. For one thread.
 */
public final class PlayedTime implements EventLoop {

  /** The timers in the order in which they are due. */
  private final TreeMap<Due, Runnable> later = new TreeMap<>();

  private final Queue<Runnable> queue = new ArrayDeque<>();
  private final Queue<Runnable> beside = new ArrayDeque<>();
  private Runnable turnEnd = () -> {};
  private boolean busy;
  private boolean holdsBeside;
  private boolean closed;
  private long now;
  private long posted;

  private record Due(long at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  /**
   * @param begin in nanoseconds
   */
  public PlayedTime(long begin) {
    this.now = begin;
  }

  /** As an {@link EventLoop.Factory}: this is the loop. */
  public EventLoop start(String name, Runnable endOfTurn) {
    turnEnd = endOfTurn;
    return this;
  }

  /** Time passes; what becomes due meanwhile is done when it is due. */
  public void pass(Duration time) {
    long end = now + time.toNanos();
    while (!later.isEmpty() && later.firstKey().at() <= end) {
      Map.Entry<Due, Runnable> next = later.pollFirstEntry();
      now = Math.max(now, next.getKey().at());
      post(next.getValue());
    }
    now = end;
  }

  /** Time passes in which nothing is done, as in a process that is frozen. */
  public void freeze(Duration time) {
    now += time.toNanos();
    pass(Duration.ZERO);
  }

  /** From now on work beside the loop is begun, and does not go on before {@link #letBesideGo}. */
  public void holdBeside() {
    holdsBeside = true;
  }

  /** Work that was begun beside the loop goes on. */
  public void letBesideGo() {
    holdsBeside = false;
    queue.addAll(beside);
    beside.clear();
    work();
  }

  @Override
  public void post(Runnable work) {
    if (!closed) {
      queue.add(work);
      work();
    }
  }

  private void work() {
    if (busy) {
      return;
    }
    busy = true;
    try {
      Runnable next;
      while ((next = queue.poll()) != null) {
        next.run();
        if (queue.isEmpty()) {
          turnEnd.run();
        }
      }
    } finally {
      busy = false;
    }
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    var due = new Due(now + delay.toNanos(), ++posted);
    later.put(due, work);
    return () -> later.remove(due);
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    postAfter(
        period,
        () -> {
          work.run();
          postEvery(period, work);
        });
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void beside(String name, Runnable work) {
    if (holdsBeside) {
      beside.add(work);
    } else {
      post(work);
    }
  }

  @Override
  public <T> T call(Callable<T> work) {
    var task = new LoopCall<T>(work);
    post(task);
    return task.await();
  }

  @Override
  public boolean answersWithin(Duration time) {
    return true;
  }

  @Override
  public void close() {
    closed = true;
    later.clear();
    queue.clear();
  }
}
