package fleet.api;

import fleet.api.listen.PeerCredentials;
import fleet.cluster.Caller;
import fleet.core.access.AccessRole;
import fleet.core.access.Subject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/** Tells who makes a request, by what the connection proves. */
final class Callers {

  private static final String CREDENTIALS = Callers.class.getName();
  private static final String COMMON_NAME = "CN";

  private Callers() {}

  /**
   * The same for the rules of who may do what.
   *
   * @param vouched the role of everybody with a certificate that the authority has signed
   */
  static Subject subject(Request request, Optional<AccessRole> vouched) throws IOException {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    Optional<X509Certificate> certificate = certificate(endPoint);
    if (certificate.isPresent()) {
      return new Subject.Person(commonName(certificate.get()), vouched);
    }
    if (endPoint.getRemoteSocketAddress() instanceof InetSocketAddress address) {
      return new Subject.Anybody(address.getAddress().getHostAddress());
    }
    if (!(endPoint instanceof SocketChannelEndPoint local)) {
      throw new IOException("nobody knows who is at the other end of " + endPoint);
    }
    PeerCredentials peer = credentials(request, local.getChannel());
    return new Subject.User(peer.user(), peer.uid(), peer.groups(), peer.isOwn());
  }

  /** They are of the moment of the connection, and stay. */
  private static PeerCredentials credentials(Request request, SocketChannel channel)
      throws IOException {
    ConnectionMetaData connection = request.getConnectionMetaData();
    if (connection.getAttribute(CREDENTIALS) instanceof PeerCredentials known) {
      return known;
    }
    PeerCredentials peer = PeerCredentials.of(channel);
    connection.setAttribute(CREDENTIALS, peer);
    return peer;
  }

  private static Optional<X509Certificate> certificate(EndPoint endPoint) {
    return Optional.ofNullable(endPoint.getSslSessionData())
        .map(EndPoint.SslSessionData::peerCertificates)
        .filter(chain -> chain.length > 0)
        .map(chain -> chain[0]);
  }

  /** Empty if it has none, or more than one: nobody has a grant then. */
  private static String commonName(X509Certificate certificate) {
    try {
      List<String> names =
          new LdapName(certificate.getSubjectX500Principal().getName())
              .getRdns().stream()
                  .filter(rdn -> rdn.getType().equalsIgnoreCase(COMMON_NAME))
                  .map(rdn -> rdn.getValue().toString())
                  .toList();
      return names.size() == 1 ? names.getFirst() : "";
    } catch (InvalidNameException e) {
      return "";
    }
  }

  static Caller of(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    Optional<X509Certificate> certificate = certificate(endPoint);
    if (certificate.isPresent()) {
      return new Caller("certificate " + certificate.get().getSubjectX500Principal().getName());
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
