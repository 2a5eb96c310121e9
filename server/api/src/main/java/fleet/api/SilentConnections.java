package fleet.api;

import fleet.core.limit.ConnectionLimit;
import fleet.core.limit.SourceNetwork;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The TCP connections without a request in progress, that is, until the whole head of the next
 * request has arrived. Their number and their time are limited. Clients of a unix socket may do
 * everything anyway. Safe for use by many threads.
 */
final class SilentConnections {

  private static final int MOST = 4_096;
  private static final int MOST_OF_NETWORK = 1_024;

  /** For the handshake and the first head. */
  private static final int FIRST_SECONDS = 10;

  /** How long a kept connection may wait for its next request. */
  private static final int NEXT_SECONDS = 30;

  /** As many as the port for machines has. */
  private static final int MOST_STRANGERS = 512;

  private static final int MOST_STRANGERS_OF_NETWORK = 128;

  /** For the handshake and all of a login. */
  private static final int STRANGER_SECONDS = 15;

  private final Scheduler scheduler;
  private final int firstSeconds;
  private final ConnectionLimit<EndPoint> limit;
  private final Map<EndPoint, Scheduler.Task> ends = new ConcurrentHashMap<>();

  SilentConnections(Scheduler scheduler) {
    this(scheduler, MOST, MOST_OF_NETWORK, FIRST_SECONDS);
  }

  private SilentConnections(Scheduler scheduler, int most, int mostOfNetwork, int firstSeconds) {
    this.scheduler = scheduler;
    this.firstSeconds = firstSeconds;
    this.limit = new ConnectionLimit<>(most, mostOfNetwork);
  }

  /** The connections without a certificate of the cluster, answered or not. */
  static SilentConnections ofStrangers(Scheduler scheduler) {
    return new SilentConnections(
        scheduler, MOST_STRANGERS, MOST_STRANGERS_OF_NETWORK, STRANGER_SECONDS);
  }

  void opened(EndPoint connection) {
    await(connection, firstSeconds);
  }

  /** A request has arrived. */
  void asked(EndPoint connection) {
    boolean _ = isOver(raw(connection));
  }

  /** The answer has been sent. */
  void answered(EndPoint connection) {
    await(raw(connection), NEXT_SECONDS);
  }

  void closed(EndPoint connection) {
    boolean _ = isOver(connection);
  }

  /** The connection below TLS. */
  static EndPoint raw(EndPoint connection) {
    return connection instanceof EndPoint.Wrapper tls ? tls.unwrap() : connection;
  }

  private void await(EndPoint connection, int seconds) {
    if (connection.isOpen()
        && connection.getRemoteSocketAddress() instanceof InetSocketAddress from) {
      ends.put(connection, scheduler.schedule(() -> cut(connection), seconds, TimeUnit.SECONDS));
      limit
          .enter(connection, SourceNetwork.of(from.getAddress().getAddress()))
          .ifPresent(this::cut);
    }
  }

  private void cut(EndPoint connection) {
    if (isOver(connection)) {
      connection.close();
    }
  }

  /** Whether the connection was silent until now. */
  private boolean isOver(EndPoint connection) {
    limit.leave(connection);
    Scheduler.Task end = ends.remove(connection);
    if (end != null) {
      end.cancel();
    }
    return end != null;
  }
}
