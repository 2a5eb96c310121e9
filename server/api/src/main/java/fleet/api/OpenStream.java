package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.request.ApiAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/**
 * An endless answer, which ends early when the client goes, its grants change or fleetd stops: then
 * the thread that opened it is interrupted and the given action runs, once.
 */
final class OpenStream implements AutoCloseable {

  static final String EXIT_STATUS = "Fleet-Exit-Status";

  private final Exchange exchange;
  private final ApiAnswer answer;
  private final Runnable onEarlyEnd;
  private final Thread writer = Thread.currentThread();
  private Optional<ApiAnswer.Watch> watch = Optional.empty();
  private Optional<AccessGrants.Following> grants = Optional.empty();
  private boolean ended;
  private boolean closed;

  /** A stream for the calling thread to write. */
  OpenStream(Exchange exchange, Runnable onEarlyEnd) {
    this.exchange = exchange;
    this.answer = exchange.answer();
    this.onEarlyEnd = onEarlyEnd;
  }

  /** Sends the headers. */
  void begin(String contentType) throws IOException {
    exchange.header(HttpHeader.CONTENT_TYPE.asString(), contentType);
    exchange.header(HttpHeader.CACHE_CONTROL.asString(), "no-cache");
    answer.begin(exchange.head(200, true));
    watch = Optional.of(answer.onGone(this::end));
    grants = Optional.of(exchange.access().follow(this::end));
  }

  /** The same for what ends with an exit status. */
  void beginCommand(String contentType) throws IOException {
    exchange.header(HttpHeader.TRAILER.asString(), EXIT_STATUS);
    begin(contentType);
  }

  void write(byte[] bytes, int length) throws IOException {
    answer.write(bytes, length);
  }

  void write(ByteArrayOutputStream bytes) throws IOException {
    write(bytes.toByteArray(), bytes.size());
  }

  /** Writes whole events, after which another leader continues if this one breaks off. */
  void write(ByteArrayOutputStream events, String lastEventId) throws IOException {
    answer.write(events.toByteArray(), lastEventId);
  }

  /** Ends the stream in order. */
  void finish() throws IOException {
    answer.end(Map.of());
  }

  /** The same for what was begun as a command. */
  void finish(int exitStatus) throws IOException {
    answer.end(Map.of(EXIT_STATUS, Integer.toString(exitStatus)));
  }

  /** Ends the stream early: another server sends what follows the last position. */
  void continueElsewhere() throws IOException {
    answer.continueElsewhere();
  }

  /**
   * Does nothing if it goes on.
   *
   * @throws IOException if it has ended: it is no whole answer, and the client must not take it for
   *     one
   */
  void expectWhole() throws IOException {
    if (ended()) {
      throw new IOException("ended before the answer did");
    }
  }

  synchronized boolean ended() {
    return ended;
  }

  /** Ends the stream before its time. Safe to call from any thread, at any time. */
  void end() {
    synchronized (this) {
      if (ended || closed) {
        return;
      }
      ended = true;
      writer.interrupt();
    }
    onEarlyEnd.run();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watch.ifPresent(ApiAnswer.Watch::close);
    grants.ifPresent(AccessGrants.Following::close);
    Thread.interrupted();
  }
}
