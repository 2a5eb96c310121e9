package fleet.trust;

import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * A TLS handshake between two parties over a socket.
 *
 * @param seenByClient whom the client talked to; by the server's certificate
 * @param seenByServer who called; empty if the client showed no certificate
 */
record Handshake(Peer seenByClient, Optional<Peer> seenByServer) {

  /** Why a handshake failed: as each side had it. */
  static final class FailedException extends Exception {
    final Optional<Throwable> client;
    final Optional<Throwable> server;

    FailedException(Optional<Throwable> client, Optional<Throwable> server) {
      super(
          "client: "
              + client.map(FailedException::root)
              + ", server: "
              + server.map(FailedException::root));
      this.client = client;
      this.server = server;
    }

    private static String root(Throwable failure) {
      Throwable cause = failure;
      while (cause instanceof SSLException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      return String.valueOf(cause.getMessage());
    }
  }

  static Handshake between(OwnIdentity client, OwnIdentity server) throws Exception {
    return between(context(client), context(server));
  }

  /** The call of a machine that has nothing but a token. */
  static Handshake joining(PinnedTrust client, OwnIdentity server) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {client}, null);
    return between(context, context(server));
  }

  static SSLContext context(OwnIdentity own) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {own.keys()}, new TrustManager[] {own.trust()}, null);
    return context;
  }

  static Handshake between(SSLContext client, SSLContext server) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listener =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      listener.setWantClientAuth(true);
      CompletableFuture<Optional<Peer>> answering =
          CompletableFuture.supplyAsync(() -> answer(listener));
      Optional<Throwable> failed = Optional.empty();
      Optional<Peer> called = Optional.empty();
      try (SSLSocket socket =
          (SSLSocket) client.getSocketFactory().createSocket(loopback, listener.getLocalPort())) {
        socket.startHandshake();
        called = Optional.of(peer(socket.getSession()));
        // With TLS 1.3 only this shows whether the server took the client's certificate.
        if (socket.getInputStream().read() < 0) {
          failed = Optional.of(new IOException("closed"));
        }
      } catch (IOException e) {
        failed = Optional.of(e);
      }
      return outcome(called, failed, answering);
    }
  }

  private static Handshake outcome(
      Optional<Peer> called,
      Optional<Throwable> failed,
      CompletableFuture<Optional<Peer>> answering)
      throws FailedException {
    try {
      Optional<Peer> caller = answering.join();
      if (failed.isPresent()) {
        throw new FailedException(failed, Optional.empty());
      }
      return new Handshake(called.orElseThrow(), caller);
    } catch (CompletionException e) {
      throw new FailedException(failed, Optional.ofNullable(e.getCause()).map(Throwable::getCause));
    }
  }

  private static Optional<Peer> answer(SSLServerSocket listener) {
    try (SSLSocket socket = (SSLSocket) listener.accept()) {
      socket.startHandshake();
      Optional<Peer> caller = caller(socket.getSession());
      socket.getOutputStream().write(1);
      return caller;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Peer> caller(SSLSession session) throws Exception {
    try {
      return Optional.of(peer(session));
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private static Peer peer(SSLSession session) throws IOException {
    try {
      return Peer.of((X509Certificate) session.getPeerCertificates()[0]);
    } catch (java.security.cert.CertificateException e) {
      throw new IOException(e);
    }
  }
}
