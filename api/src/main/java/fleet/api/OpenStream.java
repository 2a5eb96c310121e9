package fleet.api;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * An answer without a foreseeable end, which ends early when the client goes or the server stops:
 * then the thread that opened it is interrupted and the given action runs, once.
 *
 * <p>While an answer is being written nobody else reads the connection, so this does, to see its
 * end. The connection cannot be used for another request.
 */
final class OpenStream implements AutoCloseable {

  private final Streams streams;
  private final Response response;
  private final AbstractEndPoint connection;
  private final HttpVersion version;
  private final Runnable onEarlyEnd;
  private final Thread writer = Thread.currentThread();
  private boolean ended;
  private boolean closed;

  OpenStream(Streams streams, Exchange exchange, Runnable onEarlyEnd) {
    this.streams = streams;
    this.response = exchange.response();
    EndPoint endPoint = exchange.request().getConnectionMetaData().getConnection().getEndPoint();
    this.connection = (AbstractEndPoint) endPoint;
    this.version = exchange.request().getConnectionMetaData().getHttpVersion();
    this.onEarlyEnd = onEarlyEnd;
  }

  /** Sends the headers. */
  void begin(String contentType) throws IOException {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    if (version == HttpVersion.HTTP_1_1) {
      // Else its end would be that of the connection, and look the same when it is cut off.
      response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED.asString());
    }
    // A reader may pause for as long as it likes, as a pager does.
    connection.setIdleTimeout(0);
    write(new byte[0], 0);
    watch();
  }

  void write(byte[] bytes, int length) throws IOException {
    Content.Sink.write(response, false, ByteBuffer.wrap(bytes, 0, length));
  }

  void write(ByteArrayOutputStream bytes) throws IOException {
    write(bytes.toByteArray(), bytes.size());
  }

  void finish() throws IOException {
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
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

  private void watch() {
    if (!connection.tryFillInterested(Callback.from(this::readable, failure -> end()))) {
      end();
    }
  }

  private void readable() {
    ByteBuffer buffer = BufferUtil.allocate(256);
    try {
      int filled;
      do {
        // What a client sends after such a request has no meaning.
        BufferUtil.clear(buffer);
        filled = connection.fill(buffer);
      } while (filled > 0);
      if (filled == 0) {
        watch();
      } else {
        end();
      }
    } catch (IOException e) {
      end();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    // The server reads the connection again from here on.
    connection.getFillInterest().onFail(new EOFException());
    streams.closed(this);
    Thread.interrupted();
  }
}
