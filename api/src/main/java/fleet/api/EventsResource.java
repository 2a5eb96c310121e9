package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of the cluster as server-sent events. The first one is {@code start} with the
 * position: who subscribes, waits for it, and then reads, misses nothing.
 */
final class EventsResource {

  private static final Logger LOG = LoggerFactory.getLogger(EventsResource.class);

  private final Cluster cluster;
  private final Streams streams;
  private final EntityJson json;
  private final Duration heartbeat;

  EventsResource(Cluster cluster, Streams streams, EntityJson json, Duration heartbeat) {
    this.cluster = cluster;
    this.streams = streams;
    this.json = json;
    this.heartbeat = heartbeat;
  }

  void follow(Exchange exchange) throws IOException {
    exchange.allow("only GET supported against this resource", "GET");
    Set<String> units = Set.copyOf(exchange.parameters("unit"));
    Optional<String> after =
        exchange.headers("Last-Event-ID").stream()
            .filter(id -> !id.isEmpty())
            .findFirst()
            .or(() -> exchange.parameter("after"));
    Optional<EventId> position = after.flatMap(EventId::parse);
    try (EventStream events = cluster.follow(position);
        OpenStream out = streams.open(exchange, () -> {})) {
      boolean lost = after.isPresent() && !position.map(EventId::epoch).equals(epochOf(events));
      out.begin("text/event-stream");
      write(new EventWriter(out, json, units, heartbeat), events, lost);
      out.finish();
    }
  }

  private static Optional<String> epochOf(EventStream events) {
    return Optional.of(events.start().epoch());
  }

  private static void write(EventWriter writer, EventStream events, boolean lost)
      throws IOException {
    writer.start(events.start(), lost);
    try {
      while (!writer.ended()) {
        writer.write(events.next(writer.untilHeartbeat()));
      }
    } catch (InterruptedException e) {
      LOG.debug("event stream ended by its client or by the server");
    } catch (ClusterUnavailableException e) {
      // The client comes back to where it was, and is told then.
      LOG.debug("event stream ended: {}", e.getMessage());
    }
  }
}
