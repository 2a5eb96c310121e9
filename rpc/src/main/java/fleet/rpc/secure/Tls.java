package fleet.rpc.secure;

import fleet.core.machine.Role;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcSecurity;
import fleet.trust.OwnIdentity;
import fleet.trust.Peer;
import fleet.trust.TokenText;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** TLS for RPC, out of what machines prove with. Renewals of an identity need nothing new. */
public final class Tls {

  /**
   * What goes over HTTP/2, the port's favourite first: the first compiler has no use for what a
   * processor does for AES, and takes four times as long for a kilobyte.
   */
  private static final List<String> CIPHERS =
      Stream.concat(Stream.of("TLS_CHACHA20_POLY1305_SHA256"), Http2SecurityUtil.CIPHERS.stream())
          .distinct()
          .toList();

  private Tls() {}

  /** Between machines of the cluster, by whichever address they reach each other. */
  public static RpcSecurity.MutualTls mutual(OwnIdentity own) {
    return new RpcSecurity.MutualTls(port(own), calls(own), Tls::peer);
  }

  /** Callers may come without a certificate, as they have none before they join. */
  private static ServerCredentials port(OwnIdentity own) {
    try {
      return NettySslContextServerCredentials.create(
          GrpcSslContexts.configure(SslContextBuilder.forServer(own.keys()), SslProvider.JDK)
              .trustManager(own.trust())
              .clientAuth(ClientAuth.OPTIONAL)
              .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
              .build());
    } catch (SSLException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
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
        return Optional.of(new RpcPeer(peer.machine(), peer.role() == Role.SERVER));
      }
      return Optional.empty();
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      return Optional.empty();
    }
  }
}
