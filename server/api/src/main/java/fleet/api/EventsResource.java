package fleet.api;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.core.text.DurationText;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of the cluster as server-sent events. The first one is {@code start} with the
 * position. A client that subscribes, waits for it, and then reads the state misses nothing.
 */
final class EventsResource {

  private static final Logger LOG = LoggerFactory.getLogger(EventsResource.class);

  private final EntityJson json;
  private final Duration heartbeat;
  private final Clock clock = Clock.systemUTC();

  EventsResource(EntityJson json, Duration heartbeat) {
    this.json = json;
    this.heartbeat = heartbeat;
  }

  void follow(Exchange exchange) throws IOException {
    EventFilter wanted = new EventFilter(exchange);
    Optional<String> after =
        exchange.headers("Last-Event-ID").stream()
            .filter(id -> !id.isEmpty())
            .findFirst()
            .or(() -> exchange.parameter("after"));
    Optional<EventId> position = after.flatMap(EventId::parse);
    EventsFrom from =
        position
            .<EventsFrom>map(EventsFrom.After::new)
            .orElseGet(() -> after.isPresent() ? EventsFrom.NOW : since(exchange));
    boolean ends = !exchange.flag("follow", true);
    try (EventStream events = exchange.cluster().follow(from);
        OpenStream out = new OpenStream(exchange, () -> {})) {
      boolean lost = after.isPresent() && !position.map(EventId::epoch).equals(epochOf(events));
      if (wanted.hasOptions()) {
        UnitsResource.auditRead(exchange, UnitsResource.ALL);
      }
      out.begin("text/event-stream");
      EventWriter writer = new EventWriter(out, json, wanted, heartbeat, events.start());
      writer.start(exchange.request().isContinued(), lost);
      if (write(writer, events, ends)) {
        out.finish();
      } else {
        out.continueElsewhere();
      }
    }
  }

  /** A time, how long ago that is, or {@code all}. */
  private EventsFrom since(Exchange exchange) {
    String text = exchange.parameter("since").orElse("");
    if (text.isEmpty()) {
      return EventsFrom.NOW;
    }
    if (text.equals("all")) {
      return EventsFrom.BEGINNING;
    }
    try {
      return new EventsFrom.Since(
          DurationText.parse(text)
              .map(clock.instant()::minus)
              .orElseGet(() -> OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeException e) {
      throw RefusedException.badRequest(
          "invalid since \""
              + text
              + "\": expected a time such as 2026-03-01T10:00:00Z, how long"
              + " ago that is, such as 90s or 1h30m, or all");
    }
  }

  private static Optional<String> epochOf(EventStream events) {
    return Optional.of(events.start().epoch());
  }

  /** Writes events; returns whether those were all that were asked for. */
  private static boolean write(EventWriter writer, EventStream events, boolean ends)
      throws IOException {
    boolean complete = ends && events.newest().equals(events.start());
    try {
      while (!writer.ended() && !complete) {
        writer.write(events.next(writer.untilHeartbeat()));
        complete = ends && writer.reached(events.newest());
      }
    } catch (InterruptedException e) {
      LOG.debug("event stream ended by its client or by the server");
    } catch (ClusterUnavailableException e) {
      // The client reconnects at its position, and gets the error then.
      LOG.debug("event stream ended: {}", e.getMessage());
    }
    if (ends && !complete) {
      // The stream is incomplete, and the client must see that.
      throw new IOException("ended before all events were sent");
    }
    return complete;
  }
}
