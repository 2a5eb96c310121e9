package fleet.ctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** An answer that comes bit by bit, on a connection of its own. Any thread may close it. */
public final class HttpStream implements Closeable {

  private final HttpConnection connection;
  private final HttpReply reply;

  HttpStream(HttpConnection connection, HttpReply reply) {
    this.connection = connection;
    this.reply = reply;
  }

  public HttpReply reply() {
    return reply;
  }

  public InputStream body() {
    return connection.body();
  }

  /** A header, or what came after the body under that name; complete once all was read. */
  public Optional<String> headerOrTrailer(String name) {
    return reply.header(name).or(() -> Optional.ofNullable(connection.body().trailers().get(name)));
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
