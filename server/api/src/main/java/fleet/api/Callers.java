package fleet.api;

import fleet.api.listen.BoundSocket;
import fleet.api.listen.PeerCredentials;
import fleet.cluster.Caller;
import fleet.cluster.CertificateHolder;
import fleet.core.access.AccessRole;
import fleet.core.access.Subject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/** Identifies the caller of a request from its connection. Safe for use by many threads. */
final class Callers {

  private static final String CREDENTIALS = Callers.class.getName();
  private static final String COMMON_NAME = "CN";

  private final Backend backend;
  private final Optional<AccessRole> vouched;

  /**
   * @param vouched the role of everybody with a certificate that {@code api_cafile} vouches for
   */
  Callers(Backend backend, Optional<AccessRole> vouched) {
    this.backend = backend;
    this.vouched = vouched;
  }

  /**
   * The caller as a subject of grants.
   *
   * @throws RefusedException if a certificate is not valid here
   * @throws fleet.cluster.ClusterUnavailableException if that is not known yet
   */
  Subject subject(Request request, BoundSocket socket) throws IOException {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    Optional<X509Certificate> certificate = certificate(endPoint);
    if (certificate.isPresent()) {
      return socket.ofCluster()
          ? loggedIn(request.getConnectionMetaData(), certificate.get())
          : new Subject.Person(commonName(certificate.get()), vouched);
    }
    if (socket.ofCluster()) {
      return stranger(request);
    }
    if (endPoint.getRemoteSocketAddress() instanceof InetSocketAddress address) {
      return new Subject.Anybody(address.getAddress().getHostAddress());
    }
    if (!(endPoint instanceof SocketChannelEndPoint local)) {
      throw new IOException("cannot identify the peer of " + endPoint);
    }
    PeerCredentials peer = credentials(request, local.getChannel());
    return new Subject.User(peer.user(), peer.uid(), peer.groups(), peer.isOwn());
  }

  /** A caller of which only the address is known. */
  static Subject.Stranger stranger(Request request) {
    return new Subject.Stranger(
        request.getConnectionMetaData().getRemoteSocketAddress()
                instanceof InetSocketAddress address
            ? address.getAddress().getHostAddress()
            : "unknown");
  }

  private Subject loggedIn(ConnectionMetaData connection, X509Certificate certificate) {
    CertificateHolder holder =
        connection.getAttribute(CREDENTIALS) instanceof CertificateHolder known
            ? known
            : backend.server().orElseThrow().any().logins().holder(certificate);
    return switch (holder) {
      case CertificateHolder.Person person -> {
        requireCurrent(person);
        connection.setAttribute(CREDENTIALS, person);
        yield Subject.Person.loggedIn(person.name(), person.key());
      }
      case CertificateHolder.Foreign _ ->
          throw new RefusedException(
              401,
              "the certificate of %s is not by this cluster's authority"
                  .formatted(certificate.getSubjectX500Principal().getName()));
      case CertificateHolder.Refused refused -> throw new RefusedException(401, refused.why());
    };
  }

  /** A connection may last longer. */
  private static void requireCurrent(CertificateHolder.Person person) {
    if (Instant.now().isAfter(person.until())) {
      throw new RefusedException(
          401, "the certificate of %s was good until %s".formatted(person.name(), person.until()));
    }
  }

  /** The groups are those at the time of the connection. */
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

  /** Empty if it has none, or more than one: then no grant applies. */
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

  /** The caller's name in the audit log. */
  static Caller of(Request request, Subject subject) {
    if (subject instanceof Subject.Stranger
        || (subject instanceof Subject.Person person && person.isLoggedIn())) {
      return new Caller(subject.toString());
    }
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

  /** The name of the process's user at the other end, or its number if it has no name. */
  private static String user(SocketChannel channel) {
    try {
      return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown";
    }
  }
}
