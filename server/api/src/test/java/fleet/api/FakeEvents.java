package fleet.api;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Events that happen when a test says so, and the streams that follow them. */
final class FakeEvents {

  static final String EPOCH = "e1";

  final LinkedBlockingQueue<EventStream> closedStreams = new LinkedBlockingQueue<>();
  private final List<Event> events = new ArrayList<>();
  private final List<FakeStream> streams = new CopyOnWriteArrayList<>();

  /** Why the streams end, once they have told what happened; empty while they go on. */
  volatile Optional<String> end = Optional.empty();

  /** Makes something happen. */
  synchronized void happen(Event.Body body) {
    Event event =
        new Event(
            new EventId(EPOCH, events.size() + 1L), events.size() + 10L, FakeUnits.TIME, body);
    events.add(event);
    streams.forEach(stream -> stream.queue.add(event));
  }

  synchronized EventStream follow(EventsFrom from) {
    long position =
        switch (from) {
          case EventsFrom.Now now -> events.size();
          case EventsFrom.Beginning beginning -> 0;
          case EventsFrom.After(EventId id) ->
              id.epoch().equals(EPOCH) ? id.sequence() : events.size();
          case EventsFrom.Since(Instant time) ->
              events.stream().filter(event -> event.time().isBefore(time)).count();
        };
    FakeStream stream =
        new FakeStream(new EventId(EPOCH, position), new EventId(EPOCH, events.size()));
    stream.queue.addAll(events.subList((int) position, events.size()));
    streams.add(stream);
    return stream;
  }

  private final class FakeStream implements EventStream {
    private final EventId start;
    private final EventId newest;
    private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();

    FakeStream(EventId start, EventId newest) {
      this.start = start;
      this.newest = newest;
    }

    @Override
    public EventId newest() {
      return newest;
    }

    @Override
    public EventId start() {
      return start;
    }

    @Override
    public List<Event> next(Duration atMost) throws InterruptedException {
      if (queue.isEmpty() && end.isPresent()) {
        throw new ClusterUnavailableException(end.get());
      }
      Event first = queue.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
      if (first == null) {
        return List.of();
      }
      List<Event> batch = new ArrayList<>(List.of(first));
      queue.drainTo(batch);
      return batch;
    }

    @Override
    public void close() {
      streams.remove(this);
      closedStreams.add(this);
    }
  }
}
