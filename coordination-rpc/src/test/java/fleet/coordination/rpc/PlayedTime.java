package fleet.coordination.rpc;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** A loop in which time passes when a test says so; work is done at once, by whoever posts it. */
final class PlayedTime implements EventLoop {

  /** What is put off, in the order in which it is due. */
  private final TreeMap<Due, Runnable> later = new TreeMap<>();

  private long now;
  private long posted;

  private record Due(long at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  PlayedTime(long begin) {
    this.now = begin;
  }

  void pass(Duration time) {
    long end = now + time.toNanos();
    while (!later.isEmpty() && later.firstKey().at() <= end) {
      Map.Entry<Due, Runnable> next = later.pollFirstEntry();
      now = next.getKey().at();
      next.getValue().run();
    }
    now = end;
  }

  @Override
  public void post(Runnable work) {
    work.run();
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
    work.run();
  }

  @Override
  public <T> T call(Callable<T> work) {
    try {
      return work.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean answersWithin(Duration time) {
    return true;
  }

  @Override
  public void close() {
    later.clear();
  }
}
