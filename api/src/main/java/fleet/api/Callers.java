package fleet.api;

import fleet.cluster.Caller;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;

/** Tells who makes a request, by what the connection proves. */
final class Callers {
  private Callers() {}

  static Caller of(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    EndPoint.SslSessionData session = endPoint.getSslSessionData();
    if (session != null) {
      X509Certificate[] chain = session.peerCertificates();
      if (chain != null && chain.length > 0) {
        return new Caller("certificate " + chain[0].getSubjectX500Principal().getName());
      }
    }
    if (endPoint.getRemoteSocketAddress() instanceof InetSocketAddress address) {
      return new Caller(address.getAddress().getHostAddress());
    }
    return endPoint instanceof SocketChannelEndPoint local
        ? new Caller("user " + user(local.getChannel()))
        : new Caller("unknown");
  }

  /** The name of the process's user at the other end, or its number where it has no name. */
  private static String user(SocketChannel channel) {
    try {
      return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown";
    }
  }
}
