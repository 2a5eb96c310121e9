package fleet.api;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;

/**
 * The clients that a server still has to answer when it stops: those who have connected and not
 * asked yet, and those whose answers are being sent. Safe for use by many threads.
 */
final class ConnectionDrain {

  /** For the first request of a client that has connected. */
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(2);

  private static final Duration ANSWERS = Duration.ofSeconds(5);

  private final Set<SelectableChannel> silent = new HashSet<>();
  private int answering;
  private volatile boolean begun;

  synchronized void accepted(SelectableChannel connection) {
    silent.add(connection);
  }

  /** A request has arrived. */
  synchronized void asked(EndPoint connection) {
    answering++;
    forget(connection);
  }

  /** Its answer was sent, or cannot be. */
  synchronized void answered() {
    answering--;
    notifyAll();
  }

  synchronized void closed(EndPoint connection) {
    forget(connection);
  }

  /** For one that could not be taken in. */
  synchronized void failed(SelectableChannel connection) {
    silent.remove(connection);
    notifyAll();
  }

  private void forget(EndPoint connection) {
    if (SilentConnections.raw(connection).getTransport() instanceof SelectableChannel channel
        && silent.remove(channel)) {
      notifyAll();
    }
  }

  /** From now on each connection ends with its answer. */
  void begin() {
    begun = true;
  }

  boolean isBegun() {
    return begun;
  }

  /** Returns when everybody is answered, or has taken too long. */
  synchronized void await() throws InterruptedException {
    long start = System.nanoTime();
    long left = left(start);
    while (left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = left(start);
    }
  }

  /** In nanoseconds. */
  private long left(long start) {
    Duration limit = answering > 0 ? ANSWERS : silent.isEmpty() ? Duration.ZERO : FIRST_REQUEST;
    return limit.toNanos() - (System.nanoTime() - start);
  }
}
