package fleet.fleetctl.login;

import fleet.core.access.LoginCode;
import fleet.fleetctl.http.ClientTls;
import fleet.fleetctl.http.Transport;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS to servers of a cluster with an authority of its own. */
public final class ClusterTls implements ClientTls {

  /** Read at each connection, as it is renewed meanwhile; empty before it is there. */
  private final Optional<Path> file;

  /** The authority of the only trusted servers while there is no file. */
  private final String pinned;

  private final Clock clock;

  private ClusterTls(Optional<Path> file, String pinned, Clock clock) {
    this.file = file;
    this.pinned = pinned;
    this.clock = clock;
  }

  /** For a person with a code and no certificate yet. */
  public static ClusterTls of(LoginCode code, Clock clock) {
    return new ClusterTls(Optional.empty(), code.authority(), clock);
  }

  /** For a person who has logged in. */
  public static ClusterTls of(Path identity, Clock clock) {
    return new ClusterTls(Optional.of(identity), "", clock);
  }

  @Override
  public Transport wrap(Socket plain, String host, int port) throws IOException {
    Optional<PersonIdentity> identity =
        file.isPresent() ? Optional.of(PersonIdentity.read(file.get())) : Optional.empty();
    ServerTrust trust =
        identity
            .map(own -> ServerTrust.of(own.authorities(), clock))
            .orElseGet(() -> ServerTrust.pinned(pinned, clock));
    SSLSocket socket =
        (SSLSocket)
            context(identity, trust).getSocketFactory().createSocket(plain, host, port, true);
    try {
      socket.startHandshake();
    } catch (SSLException e) {
      throw new IOException(reason(e), e);
    }
    if (trust.isSucceeded() && file.isPresent()) {
      PersonRenewal.wish(file.get());
    }
    return new Transport(socket.getInputStream(), socket.getOutputStream(), socket);
  }

  /** With the message of {@link ServerTrust}, if it does not trust the server. */
  private static String reason(SSLException failure) {
    for (Throwable why = failure; why != null; why = why.getCause()) {
      if (why instanceof CertificateException) {
        return String.valueOf(why.getMessage());
      }
    }
    return "TLS: %s (is that the port that \"fleetctl access invite\" has named?)"
        .formatted(failure.getMessage());
  }

  private static SSLContext context(Optional<PersonIdentity> identity, ServerTrust trust)
      throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          identity.isPresent() ? keys(identity.get()) : null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(PersonIdentity identity)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "person", identity.key(), new char[0], new X509Certificate[] {identity.certificate()});
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }
}
