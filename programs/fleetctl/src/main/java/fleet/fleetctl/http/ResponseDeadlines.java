package fleet.fleetctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Closes connections whose answer does not come in time, since blocking reads of unix sockets know
 * no timeout. Its thread starts with the first request.
 */
final class ResponseDeadlines {

  private final long limitNanos;
  private final Map<Closeable, Long> deadlines = new HashMap<>();
  private boolean running;

  ResponseDeadlines(long limitMillis) {
    this.limitNanos = limitMillis * 1_000_000;
  }

  synchronized void arm(Closeable connection) {
    deadlines.put(connection, System.nanoTime() + limitNanos);
    if (!running) {
      running = true;
      Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
    }
  }

  /** Whether the answer came in time. */
  synchronized boolean disarm(Closeable connection) {
    return deadlines.remove(connection) != null;
  }

  private synchronized void watch() {
    try {
      while (true) {
        long now = System.nanoTime();
        closeOverdue(now);
        // Deadlines are set in order, so none can be due before a full limit from now.
        long next =
            deadlines.values().stream().mapToLong(due -> due - now).min().orElse(limitNanos);
        wait(Math.max(1, next / 1_000_000 + 1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeOverdue(long now) {
    deadlines
        .entrySet()
        .removeIf(entry -> {
          boolean overdue = entry.getValue() - now <= 0;
          if (overdue) {
            close(entry.getKey());
          }
          return overdue;
        });
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException alreadyBroken) {
      return;
    }
  }
}
