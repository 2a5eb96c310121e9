package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.v1.ClusterEvent;
import fleet.rpc.v1.EventBatch;
import fleet.rpc.v1.FollowEvents;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events as the leader tells them. Where contact is lost or another leads, it goes on with whoever
 * leads from where it was: that one tells of the gap.
 */
final class RemoteEvents implements EventStream {

  private static final Logger log = LoggerFactory.getLogger(RemoteEvents.class);
  private static final long FIRST_BATCH_SECONDS = 8;

  private final LeaderCalls calls;
  private final EventId start;
  private final EventId newest;
  private volatile BlockingClientCall<FollowEvents, EventBatch> call;
  private volatile boolean closed;
  private EventId last;

  private record Opened(BlockingClientCall<FollowEvents, EventBatch> call, EventBatch first) {}

  private RemoteEvents(LeaderCalls calls, Opened opened) {
    this.calls = calls;
    this.call = opened.call();
    this.start = EventMessages.id(opened.first().getStart());
    this.newest = EventMessages.id(opened.first().getNewest());
    this.last = start;
  }

  static EventStream open(LeaderCalls calls, EventsFrom from) {
    return new RemoteEvents(calls, opened(calls, from));
  }

  private static Opened opened(LeaderCalls calls, EventsFrom from) {
    FollowEvents asked = EventMessages.message(from);
    return calls.repeat((channel, options) -> {
      BlockingClientCall<FollowEvents, EventBatch> call =
          ClientCalls.blockingV2ServerStreamingCall(channel, ClusterMethods.FOLLOW, options, asked);
      boolean begun = false;
      try {
        EventBatch first = call.read(FIRST_BATCH_SECONDS, TimeUnit.SECONDS);
        if (first == null) {
          throw new ClusterUnavailableException("the leader tells no events");
        }
        begun = true;
        return new Opened(call, first);
      } finally {
        if (!begun) {
          call.cancel("not begun", null);
        }
      }
    });
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
    try {
      EventBatch batch = call.read(atMost.toNanos(), TimeUnit.NANOSECONDS);
      if (batch != null) {
        return read(batch);
      }
    } catch (TimeoutException e) {
      return List.of();
    } catch (StatusException e) {
      if (!LeaderCalls.mayGoOn(e)) {
        throw new ClusterUnavailableException(
            "what the leader tells cannot be followed from here: "
                + LeaderCalls.text(e.getStatus()),
            e);
      }
      log.debug("events of the leader ended: {}", e.getStatus());
    }
    goOn();
    return List.of();
  }

  private List<Event> read(EventBatch batch) {
    UnitFiles.Received files = new UnitFiles.Received();
    List<Event> events = new ArrayList<>();
    try {
      for (String file : batch.getFilesList()) {
        files.add(file);
      }
      for (ClusterEvent event : batch.getEventsList()) {
        EventMessages.event(event, files).ifPresent(events::add);
        last = EventMessages.id(event.getPosition());
      }
    } catch (MalformedMessageException e) {
      throw new ClusterUnavailableException(
          "an event of the leader is not understood here: " + e.getMessage(), e);
    }
    return events;
  }

  private void goOn() {
    if (closed) {
      return;
    }
    call = opened(calls, new EventsFrom.After(last)).call();
    if (closed) {
      call.cancel("closed", null);
    }
  }

  @Override
  public void close() {
    closed = true;
    call.cancel("closed", null);
  }
}
