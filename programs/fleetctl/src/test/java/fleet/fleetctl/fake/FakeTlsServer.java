package fleet.fleetctl.fake;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** Answers requests over TLS, one a connection, and asks clients for a certificate. */
public final class FakeTlsServer implements AutoCloseable {

  private final FakeHttpServer.Handler handler;
  private final SSLServerSocket socket;
  private final Thread accepting;

  /** The subjects of those who asked; empty of one without a certificate. */
  public final List<String> callers = new CopyOnWriteArrayList<>();

  /** Listens on a port of the loopback. */
  public FakeTlsServer(SSLContext context, FakeHttpServer.Handler handler) throws IOException {
    this.handler = handler;
    this.socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setWantClientAuth(true);
    this.accepting = Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** Takes no client without a certificate that its context trusts. */
  public FakeTlsServer requiringOne() {
    socket.setNeedClientAuth(true);
    return this;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        SSLSocket client = (SSLSocket) socket.accept();
        Thread.ofVirtual().start(() -> answer(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(SSLSocket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      FakeHttpServer.Request request = FakeHttpServer.read(in);
      callers.add(caller(client));
      OutputStream out = client.getOutputStream();
      boolean _ = handler.handle(request, out);
      out.flush();
    } catch (IOException refused) {
      // The client does not believe this server.
      return;
    }
  }

  private static String caller(SSLSocket client) {
    try {
      return client.getSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
      // Until then it listens on, and nobody answers those who come.
      accepting.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
