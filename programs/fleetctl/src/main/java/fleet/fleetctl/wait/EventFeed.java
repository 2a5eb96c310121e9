package fleet.fleetctl.wait;

import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.Backoff;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.ServerSentEvents;
import fleet.fleetctl.http.ServerSentEvents.ServerSentEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Follows the events of some units on a thread of its own, across restarts of the daemon. */
public final class EventFeed implements Closeable {

  /** The stream, told apart. */
  public sealed interface Message {}

  /** From now on nothing is missed: read everything once. */
  public record Opened() implements Message {}

  public record Happened(String name, EventEntity event) implements Message {}

  /** The daemon does not answer; it is tried again. */
  public record Lost(String why) implements Message {}

  /** The daemon has no events: ask again and again. */
  public record Unsupported() implements Message {}

  private final FleetClient client;
  private final List<String> units;
  private final List<String> more;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final EntityJson json = new EntityJson();
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable HttpAnswer stream;
  private String lastId = "";
  private final Backoff backoff = new Backoff();

  /**
   * Feeds on the events of units.
   *
   * @param units names and patterns; all units if there are none
   * @param more names of events besides those of units
   */
  public EventFeed(FleetClient client, List<String> units, List<String> more) {
    this.client = client;
    this.units = List.copyOf(units);
    this.more = List.copyOf(more);
    this.thread = Thread.ofPlatform().daemon().name("events").unstarted(this::follow);
  }

  public void start() {
    thread.start();
  }

  /** The next message; empty if none came within the time. */
  public Optional<Message> next(long nanos) throws InterruptedException {
    return Optional.ofNullable(messages.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS));
  }

  private void follow() {
    boolean supported = true;
    while (!closed && supported) {
      try {
        supported = followOnce();
      } catch (FleetException | IOException e) {
        lost(e);
      }
      if (supported && !closed) {
        closed |= !backoff.pause();
      }
    }
    if (!supported) {
      messages.add(new Unsupported());
    }
  }

  private boolean followOnce() throws FleetException, IOException {
    Optional<HttpAnswer> opened;
    try {
      opened = client.streams().events(units, more, lastId);
    } catch (ApiException e) {
      if (e.code() / 100 == 4) {
        return false;
      }
      throw e;
    }
    if (opened.isEmpty()) {
      return false;
    }
    try (HttpAnswer open = opened.get()) {
      stream = open;
      read(new ServerSentEvents(open.stream()));
      return true;
    }
  }

  private void read(ServerSentEvents events) throws IOException {
    if (!lastId.isEmpty()) {
      messages.add(new Opened());
    }
    while (!closed) {
      Optional<ServerSentEvent> next = events.next();
      if (next.isEmpty()) {
        throw new IOException("the stream of events ended");
      }
      take(next.get());
    }
  }

  private void take(ServerSentEvent event) throws IOException {
    backoff.reset();
    if (event.name().equals("start") || event.name().equals("gap")) {
      messages.add(new Opened());
    } else if (!event.data().isEmpty()) {
      messages.add(new Happened(event.name(), event.entity(json)));
    }
    if (!event.id().isEmpty()) {
      lastId = event.id();
    }
  }

  private void lost(Exception e) {
    if (!closed) {
      messages.add(new Lost(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    HttpAnswer open = stream;
    if (open != null) {
      open.close();
    }
  }
}
