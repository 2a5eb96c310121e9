package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Writes events to one client as {@code text/event-stream}. For one thread. */
final class EventWriter {

  /** In bytes: larger answers go in pieces of whole events. */
  private static final int PIECE = 64 << 10;

  private final OpenStream out;
  private final EntityJson json;
  private final EventFilter wanted;
  private final Duration heartbeat;

  private long lastWrite = System.nanoTime();
  private boolean gapTold;
  private EventId last;
  private Optional<EventId> passedOver = Optional.empty();

  /**
   * A writer for one client.
   *
   * @param start the position before its first event
   */
  EventWriter(
      OpenStream out, EntityJson json, EventFilter wanted, Duration heartbeat, EventId start) {
    this.out = out;
    this.json = json;
    this.wanted = wanted;
    this.heartbeat = heartbeat;
    this.last = start;
  }

  boolean ended() {
    return out.ended();
  }

  /** Whether everything up to a position was sent, as far as it was still known. */
  boolean reached(EventId position) {
    return !last.epoch().equals(position.epoch()) || last.sequence() >= position.sequence();
  }

  Duration untilHeartbeat() {
    Duration left = heartbeat.minusNanos(System.nanoTime() - lastWrite);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Sends the position that the writer starts from.
   *
   * @param isContinued whether the client got a start event before
   * @param lost whether the client comes from a position that is not known here
   */
  void start(boolean isContinued, boolean lost) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!isContinued) {
      append(bytes, last, bare("start"));
    }
    if (lost) {
      append(bytes, last, bare("gap"));
      gapTold = true;
    }
    send(bytes);
  }

  private static EventEntity bare(String name) {
    return EventEntity.of(name, 0, Instant.now().toString());
  }

  void write(List<Event> events) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Event event : events) {
      last = event.id();
      boolean told = gapTold && event.body().kind() == Event.Kind.GAP;
      gapTold = false;
      if (told || !wanted.has(event.body())) {
        passedOver = Optional.of(event.id());
      } else {
        append(bytes, event.id(), EntityMapper.event(event, wanted.hasText(event.body())));
        passedOver = Optional.empty();
      }
      if (bytes.size() >= PIECE) {
        send(bytes);
        bytes.reset();
      }
    }
    if (bytes.size() > 0) {
      send(bytes);
    } else if (untilHeartbeat().isZero()) {
      send(beat());
    }
  }

  /**
   * A comment, with the position of events that were not shown, so that a client resumes from
   * there.
   */
  private ByteArrayOutputStream beat() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    line(bytes, ":");
    passedOver.ifPresent(id -> line(bytes, "id: " + id));
    passedOver = Optional.empty();
    line(bytes, "");
    return bytes;
  }

  private void append(ByteArrayOutputStream bytes, EventId id, EventEntity event) {
    line(bytes, "id: " + id);
    line(bytes, "event: " + event.name());
    bytes.writeBytes("data: ".getBytes(UTF_8));
    bytes.writeBytes(json.write(event));
    line(bytes, "\n");
  }

  private static void line(ByteArrayOutputStream bytes, String text) {
    bytes.writeBytes((text + "\n").getBytes(UTF_8));
  }

  private void send(ByteArrayOutputStream bytes) throws IOException {
    out.write(bytes, last.toString());
    lastWrite = System.nanoTime();
  }
}
