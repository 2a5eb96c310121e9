package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.core.machine.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port on which this engine, when it leads, lets others hold connections. They carry no data:
 * they break when the process ends, and new ones are refused from then on. So it stays open as long
 * as the process takes part. Safe for use by many threads.
 */
final class LeaderPort implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaderPort.class);

  /** With thousands of engines, some are enough to notice the end of the leader. */
  static final int MOST_GUESTS = 512;

  private static final int BACKLOG = 128;
  private static final long PAUSE_MILLIS = 200;
  private static final String COST =
      "; should this machine lead and its fleetd be killed, then the others notice only after the"
          + " lease of the leader";

  private final EventLoop loop;
  private final int port;

  /**
   * The newest first. Those of former addresses stay, so that a connection to them proves nothing
   * false.
   */
  private final Deque<Listening> listening = new ConcurrentLinkedDeque<>();

  private final Set<Socket> guests = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String address;

  /** A socket, until the thread that accepts has let go of it. */
  private record Listening(ServerSocket socket, CountDownLatch acceptsNoMore) {
    boolean isEverywhere() {
      return socket.getInetAddress().isAnyLocalAddress();
    }

    boolean isAt(String host) throws UnknownHostException {
      return socket.getInetAddress().equals(InetAddress.getByName(host));
    }
  }

  private LeaderPort(EventLoop loop, int port, String address) {
    this.loop = loop;
    this.port = port;
    this.address = address;
  }

  /**
   * A port that this process has opened already for something else, and that ends with it as well.
   */
  static LeaderPort servedAt(EventLoop loop, String address) {
    return new LeaderPort(loop, 0, address);
  }

  /**
   * Listens, or logs why not and what that costs.
   *
   * @param publicIp where the other machines reach this one; empty if that is not known
   * @param port 0 for any that is free
   */
  static LeaderPort open(EventLoop loop, String publicIp, int port) {
    LeaderPort opened = new LeaderPort(loop, port, "");
    opened.listenAt(publicIp);
    return opened;
  }

  /**
   * Others reach this process elsewhere from now on.
   *
   * @param publicIp where the other machines reach this one; empty if that is not known
   * @param served where it listens already for something else
   */
  void move(String publicIp, Optional<String> served) {
    if (served.isPresent()) {
      address = served.get();
    } else if (!publicIp.isEmpty()) {
      listenAt(publicIp);
    }
  }

  private void listenAt(String publicIp) {
    if (publicIp.isEmpty()) {
      log.warn("leadership: this machine has no address yet, so it does not listen{}", COST);
      return;
    }
    try {
      Listening there = listening(publicIp);
      address = new HostPort(publicIp, there.socket.getLocalPort()).toString();
    } catch (IOException e) {
      log.warn(
          "leadership: cannot listen on port {} ({}); is it another program's? set rpc_port{}",
          port,
          e.getMessage(),
          COST);
    }
  }

  private Listening listening(String publicIp) throws IOException {
    for (Listening there : listening) {
      if (there.isEverywhere() || there.isAt(publicIp)) {
        return there;
      }
    }
    Listening opened = new Listening(bind(publicIp, port), new CountDownLatch(1));
    listening.addFirst(opened);
    loop.beside("leader's port", () -> accept(opened));
    return opened;
  }

  private static ServerSocket bind(String publicIp, int port) throws IOException {
    try {
      return new ServerSocket(port, BACKLOG, InetAddress.getByName(publicIp));
    } catch (IOException e) {
      log.debug("leadership: {} is not an address of this machine", publicIp, e);
      // An address that a router translates is not the machine's own.
      return new ServerSocket(port, BACKLOG);
    }
  }

  /** {@code host:port} for others; empty if nothing has listened yet. */
  String address() {
    return address;
  }

  private void accept(Listening there) {
    try {
      acceptUntilClosed(there.socket);
    } finally {
      there.acceptsNoMore.countDown();
    }
  }

  private void acceptUntilClosed(ServerSocket socket) {
    boolean failing = false;
    while (!socket.isClosed()) {
      try {
        welcome(socket.accept());
        failing = false;
      } catch (IOException e) {
        if (!failing && !socket.isClosed()) {
          failing = true;
          log.warn(
              "leadership: cannot accept connections on {}, trying on: {}",
              new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort()),
              e.getMessage());
        }
        pause();
      }
    }
  }

  /** For instance out of file descriptors: that may last, and is no reason to spin. */
  private void pause() {
    try {
      boolean ending = closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      log.trace("leadership: accepting ends: {}", ending);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(Socket guest) throws IOException {
    if (guests.size() >= MOST_GUESTS) {
      guest.close();
      return;
    }
    guests.add(guest);
    if (closed.getCount() == 0) {
      seeOff(guest);
      return;
    }
    // Frees the place of a client that vanished; the client has no keepalive.
    guest.setKeepAlive(true);
    loop.beside("guest of the leader's port", () -> host(guest));
  }

  /** Reads until the client goes. One that sends data is at the wrong port. */
  private void host(Socket guest) {
    try {
      int said = guest.getInputStream().read();
      log.debug("leadership: {} has gone ({})", guest.getRemoteSocketAddress(), said);
    } catch (IOException e) {
      log.debug("leadership: {} has gone", guest.getRemoteSocketAddress(), e);
    } finally {
      seeOff(guest);
    }
  }

  private void seeOff(Socket guest) {
    guests.remove(guest);
    try {
      guest.close();
    } catch (IOException e) {
      log.debug("leadership: a connection did not close", e);
    }
  }

  /** Connections are refused from when this returns. */
  @Override
  public void close() {
    closed.countDown();
    listening.forEach(this::endListening);
    List.copyOf(guests).forEach(this::seeOff);
  }

  /** The kernel goes on listening until the thread that accepts has let go of the socket. */
  private void endListening(Listening there) {
    try {
      there.socket.close();
      there.acceptsNoMore.await();
    } catch (IOException e) {
      log.debug("leadership: the port did not close", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
