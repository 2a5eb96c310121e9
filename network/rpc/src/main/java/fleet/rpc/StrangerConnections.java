package fleet.rpc;

import fleet.core.limit.ConnectionLimit;
import fleet.core.limit.SourceNetwork;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerCredentials;
import io.grpc.ServerTransportFilter;
import io.grpc.internal.FixedObjectPool;
import io.grpc.internal.ObjectPool;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.InternalProtocolNegotiator;
import io.netty.channel.ChannelHandler;
import io.netty.util.AsciiString;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;

/**
 * The connections of the RPC port without a certificate of the cluster: all, until their handshake
 * is done. They cost little, since they are limited in number, time and calls. Safe for use by many
 * threads.
 */
final class StrangerConnections extends ServerTransportFilter {

  /** With what each may hold, some 40 KB, less than 32 MB. */
  private static final int MOST = 512;

  private static final int MOST_OF_NETWORK = 128;

  private final RpcSecurity.Identification peers;
  private final Executor handshakes = LifoExecutor.handshakes(MOST);
  private final ConnectionLimit<StrangerConnection> open =
      new ConnectionLimit<>(MOST, MOST_OF_NETWORK);

  private final Map<StrangerConnection, SSLSession> identified = new ConcurrentHashMap<>();

  StrangerConnections(RpcSecurity.Identification peers) {
    this.peers = peers;
  }

  /** The same credentials, each handshake with which begins as a stranger's. */
  ServerCredentials guard(ServerCredentials credentials) {
    InternalProtocolNegotiator.ServerFactory factory =
        InternalNettyServerCredentials.toNegotiator(credentials);
    ObjectPool<Executor> executors = new FixedObjectPool<>(handshakes);
    InternalProtocolNegotiator.ServerFactory guarded =
        _ -> new Guarded(factory.newNegotiator(executors));
    return InternalNettyServerCredentials.create(guarded);
  }

  void enter(StrangerConnection connection, SourceNetwork from) {
    open.enter(connection, from).ifPresent(StrangerConnection::cut);
  }

  void leave(StrangerConnection connection) {
    open.leave(connection);
  }

  /** The handshake is done, and the first frame of HTTP/2 has come. */
  @Override
  public Attributes transportReady(Attributes attributes) {
    SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    StrangerConnection connection = attributes.get(StrangerConnection.KEY);
    if (session != null && connection != null && peers.peer(session).isPresent()) {
      connection.identified();
      identified.put(connection, session);
      // A session that is resumed shows a certificate that nobody has checked since it began.
      if (!peers.isBelieved(session)) {
        connection.end();
      }
    }
    return attributes;
  }

  /** Ends the connections of machines whose certificates are by an authority of former times. */
  void endDistrusted() {
    identified.forEach((connection, session) -> {
      if (!peers.isBelieved(session)) {
        connection.end();
      }
    });
  }

  void gone(StrangerConnection connection) {
    identified.remove(connection);
  }

  private final class Guarded implements InternalProtocolNegotiator.ProtocolNegotiator {
    private final InternalProtocolNegotiator.ProtocolNegotiator negotiator;

    Guarded(InternalProtocolNegotiator.ProtocolNegotiator negotiator) {
      this.negotiator = negotiator;
    }

    @Override
    public AsciiString scheme() {
      return negotiator.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler http2) {
      return new StrangerConnection(StrangerConnections.this, negotiator.newHandler(http2));
    }

    @Override
    public void close() {
      negotiator.close();
    }
  }
}
