package fleet.ctl.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a stream of server-sent events. For one thread. */
public final class ServerSentEvents {

  /** One event; fields that did not occur are empty. */
  public record ServerSentEvent(String name, String id, String data) {}

  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int position;
  private int limit;

  public ServerSentEvents(InputStream in) {
    this.in = in;
  }

  /** The next event; empty at the end of the stream. */
  public Optional<ServerSentEvent> next() throws IOException {
    String name = "";
    String id = "";
    StringBuilder data = new StringBuilder();
    boolean some = false;
    while (nextLine()) {
      if (line.size() == 0) {
        if (some) {
          return Optional.of(new ServerSentEvent(name, id, data.toString()));
        }
        continue;
      }
      String text = line.toString(StandardCharsets.UTF_8);
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

  private boolean nextLine() throws IOException {
    line.reset();
    while (true) {
      if (position == limit) {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        if (limit == 0) {
          return false;
        }
      }
      byte next = buffer[position++];
      if (next == '\n') {
        return true;
      }
      if (next != '\r') {
        line.write(next);
      }
    }
  }
}
