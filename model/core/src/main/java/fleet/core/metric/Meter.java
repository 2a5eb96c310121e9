package fleet.core.metric;

/** Takes measurements. Safe for use by many threads, and returns at once. */
@FunctionalInterface
public interface Meter {

  /** Forgets everything. */
  Meter NONE = (_, _, _) -> {};

  /**
   * Adds an amount to a counter or a gauge, or a value to a histogram. Times are in seconds.
   *
   * @param labels the values of the metric's labels, in their order
   */
  void record(Metric metric, double amount, String... labels);

  /** Records 1 if something is so, else 0. */
  default void flag(Metric metric, boolean so) {
    record(metric, so ? 1 : 0);
  }

  /** Adds a time to a histogram. */
  default void time(Metric metric, long nanos, String... labels) {
    record(metric, nanos / 1e9, labels);
  }
}
