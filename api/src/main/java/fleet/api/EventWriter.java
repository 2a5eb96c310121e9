package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.UnitView;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes events to one client as {@code text/event-stream}. For one thread. */
final class EventWriter {

  private final OpenStream out;
  private final EntityJson json;
  private final Set<String> units;
  private final Duration heartbeat;

  private long lastWrite = System.nanoTime();
  private boolean gapTold;
  private Optional<EventId> passedOver = Optional.empty();

  /**
   * Writes to a stream.
   *
   * @param units the units to tell of; all, and the machines, where there are none
   */
  EventWriter(OpenStream out, EntityJson json, Set<String> units, Duration heartbeat) {
    this.out = out;
    this.json = json;
    this.units = units;
    this.heartbeat = heartbeat;
  }

  boolean ended() {
    return out.ended();
  }

  Duration untilHeartbeat() {
    Duration left = heartbeat.minusNanos(System.nanoTime() - lastWrite);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Tells the position.
   *
   * @param lost whether the client comes from a position that is not known here
   */
  void start(EventId id, boolean lost) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    append(bytes, id, bare("start"));
    if (lost) {
      append(bytes, id, bare("gap"));
      gapTold = true;
    }
    send(bytes);
  }

  private static EventEntity bare(String name) {
    return new EventEntity(name, 0, Instant.now().toString(), null, null, null, null);
  }

  void write(List<Event> events) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Event event : events) {
      boolean told = gapTold && event.body() instanceof Event.Gap;
      gapTold = false;
      if (told || !isWanted(event.body())) {
        passedOver = Optional.of(event.id());
      } else {
        append(bytes, event.id(), EntityOf.event(event));
        passedOver = Optional.empty();
      }
    }
    if (bytes.size() > 0) {
      send(bytes);
    } else if (untilHeartbeat().isZero()) {
      send(beat());
    }
  }

  /** A comment, with the position where it went on unseen, so that a client resumes from there. */
  private ByteArrayOutputStream beat() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    line(bytes, ":");
    passedOver.ifPresent(id -> line(bytes, "id: " + id));
    passedOver = Optional.empty();
    line(bytes, "");
    return bytes;
  }

  private boolean isWanted(Event.Body body) {
    if (units.isEmpty()) {
      return true;
    }
    return switch (body) {
      case Event.UnitChanged(UnitView unit) -> units.contains(unit.unit().name().value());
      case Event.UnitDestroyed(UnitName unit) -> units.contains(unit.value());
      case Event.StateChanged(UnitState state) -> units.contains(state.unit().value());
      case Event.StateGone(UnitName unit, String machine) -> units.contains(unit.value());
      case Event.MachineChanged changed -> false;
      case Event.MachineGone gone -> false;
      case Event.Gap gap -> true;
    };
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
    out.write(bytes);
    lastWrite = System.nanoTime();
  }
}
