package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.core.machine.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that a standby holds to the leader, to notice the end of its process.
 *
 * <p>A connection that times out proves nothing, nor does one without answers, nor a refusal alone:
 * a firewall may refuse as well. But if the machine has ended a connection, and then refuses
 * another, the port is closed: the process has ended. Safe for use by many threads.
 */
final class LeaderProbe implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaderProbe.class);

  /** Shorter than the kernel's own, so that only a refusal ends an attempt before it. */
  private static final int CONNECT_MILLIS = 2_000;

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;
  private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final EventLoop loop;
  private final HostPort address;
  private final Runnable ended;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Socket current = new Socket();

  /**
   * @param ended run on the loop whenever the process has proved to have ended
   */
  LeaderProbe(EventLoop loop, HostPort address, Runnable ended) {
    this.loop = loop;
    this.address = address;
    this.ended = ended;
  }

  void start() {
    loop.beside("line to the leader", this::hold);
  }

  /** Whether the machine says that nobody listens there. */
  static boolean refuses(HostPort address) {
    try (Socket probe = new Socket()) {
      return connect(probe, address) == Answer.REFUSED;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether somebody listens there. */
  static boolean answers(HostPort address) {
    try (Socket probe = new Socket()) {
      return connect(probe, address) == Answer.ACCEPTED;
    } catch (IOException e) {
      return false;
    }
  }

  private enum Answer {
    ACCEPTED,
    REFUSED,
    NONE
  }

  private static Answer connect(Socket socket, HostPort address) {
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
      return isConnectedToItself(socket) ? Answer.REFUSED : Answer.ACCEPTED;
    } catch (IOException e) {
      log.debug("leadership: no connection to {}", address, e);
      return isRefusal(e) ? Answer.REFUSED : Answer.NONE;
    }
  }

  /** A timeout of the kernel is a {@link ConnectException} too. */
  static boolean isRefusal(IOException failure) {
    return failure instanceof ConnectException && "Connection refused".equals(failure.getMessage());
  }

  /** Whether a connection broke because the machine at its other end says that it is over. */
  static boolean isReset(IOException failure) {
    return "Connection reset".equals(failure.getMessage());
  }

  /**
   * A TCP self-connect: possible within a machine, if nobody listens and the port is picked by
   * chance.
   */
  private static boolean isConnectedToItself(Socket socket) {
    return socket.getLocalPort() == socket.getPort()
        && socket.getLocalAddress().equals(socket.getInetAddress());
  }

  private void hold() {
    boolean endedThere = false;
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (closed.getCount() > 0) {
      long began = System.nanoTime();
      try (Socket socket = new Socket()) {
        current = socket;
        Answer answer = connect(socket, address);
        log.debug("leadership: the line to {}: {}", address, answer);
        switch (answer) {
          case ACCEPTED -> endedThere = endsThere(socket);
          case REFUSED -> {
            if (endedThere && closed.getCount() > 0) {
              loop.post(ended);
            }
          }
          case NONE -> {}
        }
      } catch (IOException e) {
        log.debug("leadership: the connection to {} did not close", address, e);
      }
      boolean lasted = System.nanoTime() - began > LASTING_NANOS;
      pauseMillis = lasted ? FIRST_PAUSE_MILLIS : Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      pause(pauseMillis);
    }
  }

  /** Waits for the end of a connection, and tells whether the other machine has ended it. */
  private boolean endsThere(Socket socket) {
    byte[] ignored = new byte[64];
    try {
      while (closed.getCount() > 0 && socket.getInputStream().read(ignored) >= 0) {
        log.trace("leadership: the leader says something that this version does not know");
      }
      return true;
    } catch (IOException e) {
      log.debug("leadership: the connection to {} broke", address, e);
      return isReset(e);
    }
  }

  private void pause(long millis) {
    try {
      boolean ending = closed.await(millis, TimeUnit.MILLISECONDS);
      log.trace("leadership: the line ends: {}", ending);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      current.close();
    } catch (IOException e) {
      log.debug("leadership: the connection to {} did not close", address, e);
    }
  }
}
