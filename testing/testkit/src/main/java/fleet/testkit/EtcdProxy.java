package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The wire of one machine to an etcd: a port beside each of the members' ports, whose connections
 * can be slowed, broken and silenced without touching anybody else's. It is a proxy, since not
 * every kernel can delay packets. Safe for use by several threads.
 */
public final class EtcdProxy implements AutoCloseable {

  private static final int PIECES_ON_THE_WAY = 1000;

  private final List<Port> ports = new ArrayList<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Gate gate = new Gate();
  private volatile State state = State.WHOLE;
  private volatile Latency latency = new Latency(Duration.ZERO, Duration.ZERO);

  private enum State {
    WHOLE,
    SILENT,
    CUT
  }

  private record Latency(Duration least, Duration jitter) {
    long nanos() {
      return least.toNanos() + ThreadLocalRandom.current().nextLong(jitter.toNanos() + 1);
    }
  }

  private record Port(ServerSocket listening, URI uri, InetSocketAddress target) {}

  private record Piece(long due, ByteBuffer bytes) {}

  EtcdProxy(List<URI> members) {
    for (URI member : members) {
      try {
        var target = new InetSocketAddress(member.getHost(), member.getPort());
        var listening = new ServerSocket(0, 50, target.getAddress());
        URI uri =
            URI.create(
                "%s://%s:%d"
                    .formatted(member.getScheme(), member.getHost(), listening.getLocalPort()));
        Port port = new Port(listening, uri, target);
        ports.add(port);
        Thread.startVirtualThread(() -> accept(port));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot listen beside " + member, e);
      }
    }
  }

  /** Where to find each member over this wire. */
  public List<URI> endpoints() {
    return ports.stream().map(Port::uri).toList();
  }

  /** From now on each piece takes this long, and up to the jitter longer, either way. */
  public void slow(Duration least, Duration jitter) {
    latency = new Latency(least, jitter);
  }

  /** Nothing passes, and nobody is told: as when packets vanish. What was sent comes later. */
  public void silence() {
    state = State.SILENT;
  }

  /** Breaks all connections, and refuses new ones. */
  public void cut() {
    state = State.CUT;
    gate.open();
    reset();
  }

  /** Breaks all connections; new ones work. */
  public void reset() {
    for (Socket socket = sockets.poll(); socket != null; socket = sockets.poll()) {
      reset(socket);
    }
  }

  /** Undoes all faults. */
  public void heal() {
    latency = new Latency(Duration.ZERO, Duration.ZERO);
    state = State.WHOLE;
    gate.open();
  }

  @Override
  public void close() {
    cut();
    for (Port port : ports) {
      try {
        port.listening().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void accept(Port port) {
    while (!port.listening().isClosed()) {
      try {
        Socket near = port.listening().accept();
        Thread.startVirtualThread(() -> connect(near, port.target()));
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private void connect(Socket near, InetSocketAddress target) {
    var far = new Socket();
    try {
      awaitSound();
      far.connect(target);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      sockets.add(near);
      sockets.add(far);
      if (state == State.CUT) {
        throw new IOException("cut meanwhile");
      }
      carry(near, far);
      carry(far, near);
    } catch (IOException e) {
      // etcd is down, or the wire is cut: whoever called is refused.
      reset(near);
      reset(far);
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Piece> onTheWay = new LinkedBlockingQueue<>(PIECES_ON_THE_WAY);
    Thread.startVirtualThread(() -> take(from, onTheWay));
    Thread.startVirtualThread(() -> deliver(onTheWay, to));
  }

  /** An empty piece is the end. */
  private void take(Socket from, BlockingQueue<Piece> onTheWay) {
    byte[] buffer = new byte[1 << 16];
    try {
      int length = 0;
      while (length >= 0) {
        try {
          length = from.getInputStream().read(buffer);
        } catch (IOException e) {
          length = -1;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(0, length)));
        onTheWay.put(new Piece(System.nanoTime() + latency.nanos(), bytes));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(BlockingQueue<Piece> onTheWay, Socket to) {
    try {
      while (true) {
        Piece piece = onTheWay.take();
        for (long left = left(piece); left > 0; left = left(piece)) {
          LockSupport.parkNanos(left);
        }
        awaitSound();
        if (!piece.bytes().hasRemaining()) {
          sockets.remove(to);
          to.close();
          return;
        }
        to.getOutputStream().write(piece.bytes().array());
      }
    } catch (IOException e) {
      // One side has gone; so does the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reset(to);
    sockets.remove(to);
  }

  private static long left(Piece piece) {
    return piece.due() - System.nanoTime();
  }

  private void awaitSound() throws IOException {
    gate.awaitOpen(() -> state == State.SILENT);
    if (state == State.CUT) {
      throw new IOException("cut");
    }
  }

  /** Threads wait here while nothing passes. */
  private static final class Gate {

    private synchronized void open() {
      notifyAll();
    }

    private synchronized void awaitOpen(BooleanSupplier closed) {
      try {
        while (closed.getAsBoolean()) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It has gone already, which is what was wanted.
    }
  }
}
