package fleet.fleetctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Requests to one endpoint over connections that are kept open. What must not be done twice goes
 * over a new one: a server may be about to close one that is kept, and whether it still took a
 * request is then unknown. Safe for use by many threads.
 */
public final class HttpClient implements Closeable {

  /** The server may be about to close a connection that was idle for longer. */
  private static final long REST_NANOS = 5_000_000_000L;

  private final Dialer dialer;
  private final long limitMillis;
  private final ResponseDeadlines watchdog;
  private final Deque<Resting> resting = new ArrayDeque<>();

  private record Resting(HttpConnection connection, long since) {}

  /**
   * @param limitMillis how long an answer may take
   */
  public HttpClient(Dialer dialer, long limitMillis) {
    this.dialer = dialer;
    this.limitMillis = limitMillis;
    this.watchdog = new ResponseDeadlines(limitMillis);
  }

  public Endpoint endpoint() {
    return dialer.endpoint();
  }

  /** Sends a request and reads the whole answer. */
  public HttpAnswer call(HttpRequest request) throws IOException {
    Optional<HttpConnection> kept = request.isIdempotent() ? take() : Optional.empty();
    if (kept.isPresent()) {
      try {
        return call(kept.get(), request);
      } catch (StaleConnectionException e) {
        if (!request.repeatable()) {
          throw e;
        }
      }
    }
    try {
      return call(new HttpConnection(dialer.dial(), dialer.endpoint()), request);
    } catch (StaleConnectionException e) {
      throw dialer.reason(e);
    }
  }

  private HttpAnswer call(HttpConnection connection, HttpRequest request) throws IOException {
    watchdog.arm(connection);
    boolean reusable = false;
    try {
      HttpAnswer answer = connection.exchange(request).readBody(Integer.MAX_VALUE);
      // Otherwise each request on a connection of its own would leave one more.
      reusable = request.isIdempotent() && connection.isReusable();
      return answer;
    } catch (IOException e) {
      throw watchdog.disarm(connection) ? e : late(e);
    } finally {
      watchdog.disarm(connection);
      rest(connection, reusable);
    }
  }

  private IOException late(IOException e) {
    return new LateAnswerException(
        "no answer within " + limitMillis / 1000.0 + " s (--request-timeout)", e);
  }

  /** Sends a request whose answer comes bit by bit; only its head has a time limit. */
  public HttpAnswer open(HttpRequest request) throws IOException {
    try {
      return begin(new HttpConnection(dialer.dial(), dialer.endpoint()), request);
    } catch (StaleConnectionException e) {
      throw dialer.reason(e);
    }
  }

  private HttpAnswer begin(HttpConnection connection, HttpRequest request) throws IOException {
    watchdog.arm(connection);
    try {
      return connection.exchange(request);
    } catch (IOException e) {
      connection.close();
      throw watchdog.disarm(connection) ? e : late(e);
    } finally {
      watchdog.disarm(connection);
    }
  }

  /**
   * Sends a request as {@link #open} does, on a connection that is kept if there is one. {@link
   * #giveBack} ends the answer.
   */
  public HttpAnswer relay(HttpRequest request) throws IOException {
    Optional<HttpConnection> kept = request.repeatable() ? take() : Optional.empty();
    if (kept.isPresent()) {
      try {
        return begin(kept.get(), request);
      } catch (StaleConnectionException e) {
        return open(request);
      }
    }
    return open(request);
  }

  /** Ends an answer; keeps its connection for other requests if the answer was read whole. */
  public void giveBack(HttpAnswer answer) throws IOException {
    rest(answer.connection(), answer.connection().isReusable());
  }

  private Optional<HttpConnection> take() throws IOException {
    synchronized (resting) {
      while (true) {
        Resting last = resting.pollLast();
        if (last == null) {
          return Optional.empty();
        }
        if (System.nanoTime() - last.since <= REST_NANOS) {
          return Optional.of(last.connection);
        }
        last.connection.close();
      }
    }
  }

  private void rest(HttpConnection connection, boolean reusable) throws IOException {
    if (!reusable) {
      connection.close();
      return;
    }
    synchronized (resting) {
      resting.addLast(new Resting(connection, System.nanoTime()));
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (resting) {
      while (!resting.isEmpty()) {
        resting.removeLast().connection.close();
      }
    }
  }
}
