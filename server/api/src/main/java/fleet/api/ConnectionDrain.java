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

  private final Set<SelectableChannel> silent = new HashSet<>();
  private final Duration firstRequest;
  private final Duration answers;
  private int answering;
  private volatile boolean draining;

  /** With the times that a stop may take. */
  ConnectionDrain() {
    this(Duration.ofSeconds(2), Duration.ofSeconds(5));
  }

  /**
   * @param firstRequest for the first request of a client that has connected
   * @param answers for the answers
   */
  ConnectionDrain(Duration firstRequest, Duration answers) {
    this.firstRequest = firstRequest;
    this.answers = answers;
  }

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
    draining = true;
  }

  boolean isDraining() {
    return draining;
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
    Duration limit = answering > 0 ? answers : silent.isEmpty() ? Duration.ZERO : firstRequest;
    return limit.toNanos() - (System.nanoTime() - start);
  }
}
