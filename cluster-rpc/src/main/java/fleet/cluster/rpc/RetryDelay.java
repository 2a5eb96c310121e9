package fleet.cluster.rpc;

import java.time.Duration;

/** How long to wait before whoever leads is asked again; longer each time. */
record RetryDelay(Duration length) {

  static final RetryDelay FIRST = new RetryDelay(Duration.ofMillis(20));

  private static final Duration LONGEST = Duration.ofMillis(500);

  RetryDelay next() {
    Duration twice = length.multipliedBy(2);
    return new RetryDelay(twice.compareTo(LONGEST) < 0 ? twice : LONGEST);
  }
}
