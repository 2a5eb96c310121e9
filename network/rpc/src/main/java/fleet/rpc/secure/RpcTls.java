package fleet.rpc.secure;

import fleet.core.machine.Role;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcSecurity;
import fleet.trust.Fingerprint;
import fleet.trust.Identity;
import fleet.trust.OwnIdentity;
import fleet.trust.Peer;
import fleet.trust.TokenText;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * TLS for RPC, from the identities of machines. Renewals of an identity need nothing new. gRPC uses
 * BoringSSL if it exists for this kind of machine, otherwise Java's own TLS.
 */
public final class RpcTls {

  /** The identity that verified the other end of a session last: signatures are expensive. */
  private static final String BELIEVED_BY = "fleet.believed-by";

  private RpcTls() {}

  /** Between machines of the cluster, at any address. */
  public static RpcSecurity.MutualTls mutual(OwnIdentity own) {
    return new RpcSecurity.MutualTls(port(own), calls(own), new Certificates(own));
  }

  private record Certificates(OwnIdentity own) implements RpcSecurity.Identification {
    @Override
    public Optional<RpcPeer> peer(SSLSession session) {
      return RpcTls.peer(session);
    }

    @Override
    public boolean isBelieved(SSLSession session) {
      Identity now = own.get();
      if (now.equals(session.getValue(BELIEVED_BY))) {
        return true;
      }
      try {
        boolean believed = own.believes(chain(session));
        if (believed) {
          session.putValue(BELIEVED_BY, now);
        }
        return believed;
      } catch (SSLPeerUnverifiedException e) {
        return false;
      }
    }
  }

  private static X509Certificate[] chain(SSLSession session) throws SSLPeerUnverifiedException {
    return Stream.of(session.getPeerCertificates())
        .map(X509Certificate.class::cast)
        .toArray(X509Certificate[]::new);
  }

  /** Callers may come without a certificate, as they have none before they join. */
  private static ServerCredentials port(OwnIdentity own) {
    return TlsServerCredentials.newBuilder()
        .keyManager(own.keys())
        .trustManager(own.trust())
        .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
        .build();
  }

  private static ChannelCredentials calls(OwnIdentity own) {
    return TlsChannelCredentials.newBuilder()
        .keyManager(own.keys())
        .trustManager(own.trust())
        .build();
  }

  /** For the call with which a machine joins: to servers of the token's cluster alone. */
  public static ChannelCredentials joining(TokenText token, Clock clock) {
    return TlsChannelCredentials.newBuilder().trustManager(token.trust(clock)).build();
  }

  private static Optional<RpcPeer> peer(SSLSession session) {
    try {
      if (session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
        Peer peer = Peer.of(certificate);
        return Optional.of(
            new RpcPeer(
                peer.machine(),
                peer.role() == Role.SERVER,
                Fingerprint.ofKey(certificate.getPublicKey())));
      }
      return Optional.empty();
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      return Optional.empty();
    }
  }
}
