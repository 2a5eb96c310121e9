package fleet.registry.etcd;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long things last on a connection.
 *
 * @param clock in nanoseconds; never goes back. Deadlines and the health of connections use it,
 *     while gRPC's own time-outs use the machine's
 * @param renewal how long etcd has to renew a lease. That is longer than for other requests: no
 *     lease may be lost because etcd is slow
 * @param longestPause between two attempts to open a watch again, which become rarer up to that
 */
record ConnectionTimeouts(LongSupplier clock, Duration renewal, Duration longestPause) {

  static final ConnectionTimeouts REAL =
      new ConnectionTimeouts(System::nanoTime, Duration.ofSeconds(4), Duration.ofSeconds(2));

  long nanoTime() {
    return clock.getAsLong();
  }
}
