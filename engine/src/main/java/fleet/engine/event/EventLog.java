package fleet.engine.event;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest events, in a ring of fixed size. Readers keep nothing but their position, so a slow
 * one costs nothing and misses what the ring has overwritten, which it is told. Safe for use by
 * many threads.
 */
public final class EventLog {

  private static final int MOST_AT_ONCE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final String epoch;
  private final Clock clock;
  private final Event[] ring;
  private long last;
  private boolean closed;

  /**
   * @param epoch unlike that of any other log
   * @param capacity how many events are kept
   */
  public EventLog(String epoch, int capacity, Clock clock) {
    this.epoch = epoch;
    this.ring = new Event[capacity];
    this.clock = clock;
  }

  public void append(long revision, List<Event.Body> bodies) {
    if (bodies.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      for (Event.Body body : bodies) {
        last++;
        ring[(int) (last % ring.length)] =
            new Event(new EventId(epoch, last), revision, clock.instant(), body);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Begins after a position; one of another epoch, or too old, is answered with a gap. */
  public EventStream follow(Optional<EventId> after) {
    lock.lock();
    try {
      EventId now = new EventId(epoch, last);
      return new Reader(after.orElse(now));
    } finally {
      lock.unlock();
    }
  }

  /** Ends all streams: they give what there is, and then say that there will be no more. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private final class Reader implements EventStream {
    private final EventId start;
    private long position;
    private boolean knowsEpoch;
    private boolean ended;

    Reader(EventId start) {
      this.start = start;
      this.position = start.sequence();
      this.knowsEpoch = start.epoch().equals(epoch) && start.sequence() <= last;
    }

    @Override
    public EventId start() {
      return start;
    }

    @Override
    public List<Event> next(Duration atMost) throws InterruptedException {
      lock.lock();
      try {
        long nanos = atMost.toNanos();
        while (knowsEpoch && position == last && !closed && !ended && nanos > 0) {
          nanos = changed.awaitNanos(nanos);
        }
        return ended ? List.of() : take();
      } finally {
        lock.unlock();
      }
    }

    private List<Event> take() {
      if (!knowsEpoch || last - position > ring.length) {
        knowsEpoch = true;
        position = last;
        return List.of(new Event(new EventId(epoch, last), 0, clock.instant(), new Event.Gap()));
      }
      if (closed && position == last) {
        throw new ClusterUnavailableException(
            "what happens is told by another from now on: follow anew");
      }
      List<Event> events = new ArrayList<>();
      while (position < last && events.size() < MOST_AT_ONCE) {
        position++;
        events.add(ring[(int) (position % ring.length)]);
      }
      return events;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        ended = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
