package fleet.fleetctl.http;

import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import fleet.entities.InvalidJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a stream of server-sent events. For one thread. */
public final class ServerSentEvents {

  /** One event; fields that did not occur are empty. */
  public record ServerSentEvent(String name, String id, String data) {

    /** The data of an event of fleetd. */
    public EventEntity entity(EntityJson json) throws IOException {
      try {
        return json.read(EventEntity.class, data.getBytes(StandardCharsets.UTF_8));
      } catch (InvalidJsonException e) {
        throw new IOException("an event cannot be read: " + e.getMessage(), e);
      }
    }
  }

  private final HttpLines lines;

  public ServerSentEvents(InputStream in) {
    this.lines = new HttpLines(in);
  }

  /** The next event; empty at the end of the stream. */
  public Optional<ServerSentEvent> next() throws IOException {
    String name = "";
    String id = "";
    StringBuilder data = new StringBuilder();
    boolean some = false;
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      String text = new String(line.get(), StandardCharsets.UTF_8).replace("\r", "");
      if (text.isEmpty()) {
        if (some) {
          return Optional.of(new ServerSentEvent(name, id, data.toString()));
        }
        continue;
      }
      int colon = text.indexOf(':');
      String field = colon < 0 ? text : text.substring(0, colon);
      String value = colon < 0 ? "" : text.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (field) {
        case "event" -> name = value;
        case "id" -> id = value;
        case "data" -> {
          if (data.length() > 0) {
            data.append('\n');
          }
          data.append(value);
        }
        default -> {
          continue;
        }
      }
      some = true;
    }
    return Optional.empty();
  }
}
