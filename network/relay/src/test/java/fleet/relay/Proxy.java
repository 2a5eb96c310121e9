package fleet.relay;

import fleet.core.machine.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between, and swallows everything from some moment on, as a cut network does. */
final class Proxy implements AutoCloseable {

  private final ServerSocket listening;
  private final HostPort to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  Proxy(HostPort to) throws IOException {
    this.to = to;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread _ = Thread.ofVirtual().start(this::accept);
  }

  HostPort address() {
    return new HostPort("127.0.0.1", listening.getLocalPort());
  }

  void cut() {
    cut = true;
  }

  private void accept() {
    try {
      while (!listening.isClosed()) {
        Socket one = listening.accept();
        Socket other = new Socket(InetAddress.getLoopbackAddress(), to.port());
        sockets.addAll(List.of(one, other));
        Thread _ = Thread.ofVirtual().start(() -> copy(one, other));
        Thread _ = Thread.ofVirtual().start(() -> copy(other, one));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void copy(Socket from, Socket into) {
    try (InputStream in = from.getInputStream();
        OutputStream out = into.getOutputStream()) {
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (!cut) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException e) {
      // One of the two has ended it.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
