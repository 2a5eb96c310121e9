package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, in a ring of fixed size. Readers keep only their position. A slow reader costs
 * nothing; it misses what the ring has overwritten, and is told so. Safe for use by many threads.
 */
final class EventLog {

  private static final int MOST_AT_ONCE = 1_000;
  private static final int FEW = 16;

  private final Object lock = new Object();
  private final String epoch;
  private final Clock clock;
  private final int capacity;

  /** The arrays grow with the events, up to the capacity. */
  private Event.Body[] bodies = new Event.Body[FEW];

  private Moment[] moments = new Moment[FEW];
  private final Instant began;
  private @Nullable Event leader;
  private long last;
  private boolean closed;

  /** The time of an event: the same for all events of one change of the registry. */
  private record Moment(long revision, Instant time) {}

  /**
   * @param epoch unlike that of any other log
   * @param capacity how many events are kept
   */
  EventLog(String epoch, int capacity, Clock clock) {
    this.epoch = epoch;
    this.capacity = capacity;
    this.clock = clock;
    this.began = clock.instant();
  }

  void append(long revision, List<Event.Body> happened) {
    if (happened.isEmpty()) {
      return;
    }
    synchronized (lock) {
      var moment = new Moment(revision, clock.instant());
      for (Event.Body body : happened) {
        last++;
        makeRoom(slot(last));
        bodies[slot(last)] = body;
        moments[slot(last)] = moment;
        if (body.kind() == Event.Kind.LEADER) {
          leader = at(last);
        }
      }
      lock.notifyAll();
    }
  }

  /**
   * Begins where asked.
   *
   * @param onClose run once, when the stream is closed
   */
  EventStream follow(EventsFrom from, Runnable onClose) {
    synchronized (lock) {
      return switch (from) {
        case EventsFrom.Now _ -> new Reader(position(last), false, onClose);
        case EventsFrom.Beginning _ -> new Reader(position(oldest() - 1), false, onClose);
        case EventsFrom.After after -> new Reader(after.position(), false, onClose);
        case EventsFrom.Since since -> since(since.time(), onClose);
      };
    }
  }

  private Reader since(Instant time, Runnable onClose) {
    long first = oldest();
    boolean gap = first > 1 ? !timeOf(first).isBefore(time) : began.isAfter(time);
    while (first <= last && timeOf(first).isBefore(time)) {
      first++;
    }
    return new Reader(position(first - 1), gap, onClose);
  }

  private long oldest() {
    return Math.max(1, last - capacity + 1);
  }

  /** Made again for each reader: only the differing parts of ten thousand events are kept. */
  private Event at(long sequence) {
    Moment moment = moments[slot(sequence)];
    return new Event(position(sequence), moment.revision(), moment.time(), bodies[slot(sequence)]);
  }

  private Instant timeOf(long sequence) {
    return moments[slot(sequence)].time();
  }

  private Instant newestTime() {
    return last == 0 ? began : timeOf(last);
  }

  private void makeRoom(int slot) {
    if (slot >= bodies.length) {
      int length = Math.min(capacity, 2 * slot);
      bodies = Arrays.copyOf(bodies, length);
      moments = Arrays.copyOf(moments, length);
    }
  }

  private int slot(long sequence) {
    return (int) (sequence % capacity);
  }

  private EventId position(long sequence) {
    return new EventId(epoch, sequence);
  }

  /** Ends all streams: they give the remaining events, and then their end. */
  void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
  }

  private final class Reader implements EventStream {
    private final EventId start;
    private final EventId newest = position(last);
    private final Runnable onClose;
    private long position;
    private boolean knowsEpoch;
    private boolean gapFirst;
    private boolean ended;

    Reader(EventId start, boolean gapFirst, Runnable onClose) {
      this.start = start;
      this.onClose = onClose;
      this.gapFirst = gapFirst;
      this.position = start.sequence();
      this.knowsEpoch = start.epoch().equals(epoch) && start.sequence() <= last;
    }

    @Override
    public EventId start() {
      return start;
    }

    @Override
    public EventId newest() {
      return newest;
    }

    @Override
    public List<Event> next(Duration atMost) throws InterruptedException {
      synchronized (lock) {
        long end = System.nanoTime() + atMost.toNanos();
        long left = atMost.toNanos();
        while (knowsEpoch && !gapFirst && position == last && !closed && !ended && left > 0) {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
          left = end - System.nanoTime();
        }
        return ended ? List.of() : take();
      }
    }

    private List<Event> take() {
      if (!knowsEpoch) {
        knowsEpoch = true;
        position = last;
        return gapAndLeader();
      }
      if (last - position > capacity) {
        position = last;
        return gap(newestTime());
      }
      if (gapFirst) {
        gapFirst = false;
        return gap(position < last ? timeOf(position + 1) : newestTime());
      }
      if (closed && position == last) {
        throw new ClusterUnavailableException(
            "another server sends the events from now on: subscribe again");
      }
      List<Event> events = new ArrayList<>();
      while (position < last && events.size() < MOST_AT_ONCE) {
        position++;
        events.add(at(position));
      }
      return events;
    }

    /** Events until then may be missing, and those that follow did not happen before. */
    private List<Event> gap(Instant until) {
      return List.of(new Event(position(position), 0, until, Event.Body.GAP));
    }

    /** A reader from another epoch has probably missed a change of the leader. */
    private List<Event> gapAndLeader() {
      List<Event> events = new ArrayList<>(gap(newestTime()));
      Event known = leader;
      if (known != null) {
        events.add(new Event(position(position), known.revision(), known.time(), known.body()));
      }
      return events;
    }

    @Override
    public void close() {
      synchronized (lock) {
        if (ended) {
          return;
        }
        ended = true;
        lock.notifyAll();
      }
      onClose.run();
    }
  }
}
