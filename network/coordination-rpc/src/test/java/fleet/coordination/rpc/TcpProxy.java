package fleet.coordination.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A way between an agent and a leader that can be cut, and that can swallow what is said. */
final class TcpProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final int to;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean frozen;
  private volatile boolean closed;

  TcpProxy(int to) throws IOException {
    this.to = to;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket from = listening.accept();
        var onward = new Socket();
        sockets.add(from);
        sockets.add(onward);
        Thread.ofVirtual().start(() -> connect(from, onward));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void connect(Socket from, Socket onward) {
    try {
      awaitThaw();
      onward.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
      Thread.ofVirtual().start(() -> carry(onward, from));
      carry(from, onward);
    } catch (IOException e) {
      cut(from);
      cut(onward);
    }
  }

  private void carry(Socket from, Socket onward) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = onward.getOutputStream();
      int length = in.read(buffer);
      while (length >= 0) {
        awaitThaw();
        out.write(buffer, 0, length);
        length = in.read(buffer);
      }
    } catch (IOException e) {
      // Cut: so is the other half.
    }
    cut(from);
    cut(onward);
  }

  private void awaitThaw() {
    lock.lock();
    try {
      while (frozen && !closed) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on nothing arrives, and nobody is told. */
  void freeze() {
    freeze(true);
  }

  /** The bytes held back arrive. */
  void thaw() {
    freeze(false);
  }

  private void freeze(boolean on) {
    lock.lock();
    try {
      frozen = on;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Connections break; new ones can be made. */
  void cut() {
    Set.copyOf(sockets).forEach(this::cut);
  }

  private void cut(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listening.close();
    thaw();
    cut();
  }
}
