package fleet.api;

import fleet.cluster.request.ApiAnswer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * The answer to a client's request. While an endless answer is written, this reads the connection
 * to see its end; the connection cannot be used for another request.
 */
final class JettyAnswer implements ApiAnswer {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Response response;
  private final ConnectionMetaData metaData;
  private final Streams streams;
  private final HttpFields.Mutable trailers = HttpFields.build();
  private boolean endless;

  JettyAnswer(Request request, Response response, Streams streams) {
    this.response = response;
    this.streams = streams;
    this.metaData = request.getConnectionMetaData();
  }

  @Override
  public void whole(Head head, byte[] body) throws IOException {
    put(head);
    Content.Sink.write(response, true, ByteBuffer.wrap(body));
  }

  private void put(Head head) {
    response.setStatus(head.status());
    head.headers().forEach(response.getHeaders()::put);
  }

  @Override
  public void begin(Head head) throws IOException {
    if (head.isEndless()) {
      streams.expectMore();
    }
    put(head);
    if (head.isEndless()) {
      endless = true;
      beginEndless(head);
    }
  }

  /** Whether an answer without an end was begun. */
  boolean isEndless() {
    return endless;
  }

  private void beginEndless(Head head) throws IOException {
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    if (metaData.getHttpVersion() == HttpVersion.HTTP_1_1) {
      // Otherwise the end of the answer would look like a cut connection.
      response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED.asString());
    }
    // A reader may pause for as long as it likes, as a pager does.
    endPoint().setIdleTimeout(0);
    if (head.headers().containsKey(HttpHeader.TRAILER.asString())) {
      response.setTrailersSupplier(() -> trailers);
    }
    Content.Sink.write(response, false, NOTHING.slice());
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    Content.Sink.write(response, false, ByteBuffer.wrap(bytes, 0, length));
  }

  @Override
  public void end(Map<String, String> last) throws IOException {
    last.forEach(trailers::put);
    Content.Sink.write(response, true, NOTHING.slice());
  }

  @Override
  public boolean isBegun() {
    return response.isCommitted();
  }

  @Override
  public Watch onGone(Runnable action) {
    Connection connection = new Connection(endPoint(), action);
    Runnable end = connection::gone;
    streams.add(end);
    return () -> {
      streams.remove(end);
      connection.close();
    };
  }

  private AbstractEndPoint endPoint() {
    return (AbstractEndPoint) metaData.getConnection().getEndPoint();
  }

  /** Reads a connection to see its end. */
  private static final class Connection {

    private final AbstractEndPoint endPoint;
    private final Runnable gone;
    private boolean ended;

    Connection(AbstractEndPoint endPoint, Runnable gone) {
      this.endPoint = endPoint;
      this.gone = gone;
      await();
    }

    private void await() {
      if (!endPoint.tryFillInterested(Callback.from(this::readable, _ -> gone()))) {
        gone();
      }
    }

    private void readable() {
      ByteBuffer buffer = BufferUtil.allocate(256);
      try {
        int filled;
        do {
          // Bytes that a client sends after such a request have no meaning.
          BufferUtil.clear(buffer);
          filled = endPoint.fill(buffer);
        } while (filled > 0);
        if (filled == 0) {
          await();
        } else {
          gone();
        }
      } catch (IOException e) {
        gone();
      }
    }

    private void gone() {
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
      }
      gone.run();
    }

    /** The server reads the connection again from here on. */
    void close() {
      synchronized (this) {
        ended = true;
      }
      endPoint.getFillInterest().onFail(new EOFException());
    }
  }
}
