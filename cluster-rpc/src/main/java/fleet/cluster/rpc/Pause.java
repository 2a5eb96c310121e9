package fleet.cluster.rpc;

import java.time.Duration;

/** How long to wait before whoever leads is asked again; longer each time. */
record Pause(Duration length) {

  static final Pause FIRST = new Pause(Duration.ofMillis(20));

  private static final Duration LONGEST = Duration.ofMillis(500);

  Pause next() {
    Duration twice = length.multipliedBy(2);
    return new Pause(twice.compareTo(LONGEST) < 0 ? twice : LONGEST);
  }
}
