package fleet.chaos;

/**
 * A stretch of time, on the clock that the journals of all machines have: this machine's monotonic
 * one.
 *
 * @param fromMicros when it began
 * @param toMicros when it ended
 */
record Span(long fromMicros, long toMicros) {

  static long now() {
    return System.nanoTime() / 1000;
  }

  boolean holds(long micros) {
    return fromMicros <= micros && micros <= toMicros;
  }

  boolean meets(Span other) {
    return fromMicros <= other.toMicros && other.fromMicros <= toMicros;
  }
}
