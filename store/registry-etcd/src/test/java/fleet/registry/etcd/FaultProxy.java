package fleet.registry.etcd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A wire to etcd that can be cut, slowed, and made to keep what it carries. */
public final class FaultProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final URI target;
  private final Queue<Wire> wires = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Held> holding = new LinkedBlockingQueue<>();
  private final Semaphore connected = new Semaphore(0);
  private final Semaphore refused = new Semaphore(0);
  private final AtomicLong pieces = new AtomicLong();
  private volatile boolean cut;
  private volatile boolean silent;
  private volatile Duration delay = Duration.ZERO;

  public FaultProxy(URI target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public URI uri() {
    return URI.create("%s://127.0.0.1:%d".formatted(target.getScheme(), listening.getLocalPort()));
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket near = listening.accept();
        if (cut) {
          reset(near);
          refused.release();
        } else {
          wires.add(new Wire(near));
          connected.release();
        }
      } catch (IOException e) {
        // Closed, or etcd is down: then the one who connected has been let go.
      }
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until one more connection is made since it was asked last. */
  public void awaitConnection() throws InterruptedException {
    connected.acquire();
  }

  /** Waits until one more connection is refused since it was asked last. */
  public void awaitRefusal() throws InterruptedException {
    refused.acquire();
  }

  /** Breaks all connections; new ones work. */
  public void resetAll() {
    wires.forEach(Wire::snap);
    wires.clear();
  }

  /** Breaks all connections, and refuses new ones until healed. */
  public void cut() {
    cut = true;
    resetAll();
  }

  public void heal() {
    cut = false;
    silent = false;
    delay = Duration.ZERO;
    wires.forEach(Wire::letGoAll);
  }

  /** Nothing passes and nobody is told, as with a machine that is switched off. */
  public void silence() {
    silent = true;
    wires.forEach(Wire::hold);
  }

  /** Each piece takes that long, however many are on their way. */
  public void delay(Duration each) {
    delay = each;
  }

  /** Keeps what etcd answers on the connections there are. */
  public void holdAnswers() {
    wires.forEach(wire -> wire.answers.hold());
  }

  /** Keeps what is sent to etcd on the connections there are. */
  public void holdRequests() {
    wires.forEach(wire -> wire.requests.hold());
  }

  /**
   * Waits until a request is kept that was sent to etcd and has this text in it, and tells on which
   * connection. Without the text it might be anything that connections send by themselves.
   */
  public Wire awaitHeldRequest(String text) throws InterruptedException {
    while (true) {
      Held held = holding.take();
      if (held.contains(text)) {
        return held.wire();
      }
    }
  }

  /** How many requests are kept that have this text in them. */
  long heldRequests(String text) {
    return holding.stream().filter(held -> held.contains(text)).count();
  }

  private record Held(Wire wire, ByteBuffer bytes) {
    boolean contains(String text) {
      return ISO_8859_1.decode(bytes.duplicate()).toString().contains(text);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    resetAll();
  }

  /** One connection. */
  public final class Wire {
    private final Socket near;
    private final Socket far = new Socket();
    private final Direction requests = new Direction(bytes -> holding.add(new Held(this, bytes)));
    private final Direction answers = new Direction(_ -> {});

    private Wire(Socket near) throws IOException {
      this.near = near;
      try {
        far.connect(new InetSocketAddress(target.getHost(), target.getPort()));
        // Else a small piece waits for 40 ms until the other side confirms the one before.
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
      } catch (IOException e) {
        reset(near);
        throw e;
      }
      if (silent) {
        hold();
      }
      Thread.ofVirtual().start(() -> requests.carry(near, far));
      Thread.ofVirtual().start(() -> answers.carry(far, near));
    }

    private void hold() {
      requests.hold();
      answers.hold();
    }

    private void letGoAll() {
      requests.letGo();
      answers.letGo();
    }

    private void snap() {
      reset(near);
      reset(far);
    }

    /** Breaks the connection on the near side alone; what is kept stays on its way. */
    void breakNear() {
      wires.remove(this);
      reset(near);
    }

    /** Lets go what was kept, and waits until etcd has answered it. */
    public void letGo() throws InterruptedException {
      answers.arrived.drainPermits();
      requests.letGo();
      answers.arrived.acquire();
    }
  }

  /**
   * Bytes that were sent together; none are the end.
   *
   * @param due when they arrive, as {@link System#nanoTime} tells it
   * @param number the order in which pieces of one direction arrive
   */
  private record Piece(long due, long number, ByteBuffer bytes) implements Delayed {

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - System.nanoTime(), NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(number, ((Piece) other).number);
    }
  }

  /** Carries bytes one way. */
  private final class Direction {
    private final Semaphore arrived = new Semaphore(0);
    private final Consumer<ByteBuffer> onKept;
    private boolean keeping;

    Direction(Consumer<ByteBuffer> onKept) {
      this.onKept = onKept;
    }

    synchronized void hold() {
      keeping = true;
    }

    synchronized void letGo() {
      keeping = false;
      notifyAll();
    }

    private void carry(Socket from, Socket to) {
      DelayQueue<Piece> onTheWay = new DelayQueue<>();
      Thread.ofVirtual().start(() -> deliver(onTheWay, to));
      byte[] buffer = new byte[1 << 16];
      try {
        int length = from.getInputStream().read(buffer);
        while (length >= 0) {
          ByteBuffer bytes = ByteBuffer.wrap(buffer.clone(), 0, length);
          onTheWay.add(
              new Piece(System.nanoTime() + delay.toNanos(), pieces.incrementAndGet(), bytes));
          arrived.release();
          tellIfKept(bytes);
          length = from.getInputStream().read(buffer);
        }
      } catch (IOException e) {
        // One side has gone; so does the other, unless a test keeps it.
      }
      onTheWay.add(new Piece(System.nanoTime(), pieces.incrementAndGet(), ByteBuffer.allocate(0)));
    }

    private void deliver(DelayQueue<Piece> onTheWay, Socket to) {
      try {
        for (Piece piece = onTheWay.take(); piece.bytes().hasRemaining(); piece = onTheWay.take()) {
          passGate();
          to.getOutputStream().write(piece.bytes().array(), 0, piece.bytes().limit());
        }
      } catch (IOException | InterruptedException e) {
        // One side has gone; so does the other, unless a test keeps it.
      }
    }

    private synchronized void tellIfKept(ByteBuffer bytes) {
      if (keeping) {
        onKept.accept(bytes);
      }
    }

    private synchronized void passGate() throws InterruptedException {
      while (keeping) {
        wait();
      }
    }
  }
}
