package fleet.api;

import fleet.core.metric.Metric;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * One series of a metric: a sum, and how many values were added for each bound if it is one of a
 * histogram. Safe for use by many threads.
 */
final class MetricSeries {

  /** In seconds: from a decision about one unit to a request whose client has given up. */
  private static final double[] BOUNDS = {0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10};

  private final DoubleAdder sum = new DoubleAdder();
  private final Optional<LongAdder[]> buckets;

  private MetricSeries(Optional<LongAdder[]> buckets) {
    this.buckets = buckets;
  }

  static MetricSeries of(Metric.Type type) {
    return new MetricSeries(
        type == Metric.Type.HISTOGRAM
            ? Optional.of(
                Stream.generate(LongAdder::new).limit(BOUNDS.length + 1).toArray(LongAdder[]::new))
            : Optional.empty());
  }

  void add(double amount) {
    sum.add(amount);
    buckets.ifPresent(all -> all[bucket(amount)].increment());
  }

  private static int bucket(double value) {
    int bucket = 0;
    while (bucket < BOUNDS.length && value > BOUNDS[bucket]) {
      bucket++;
    }
    return bucket;
  }

  double sum() {
    return sum.sum();
  }

  boolean isHistogram() {
    return buckets.isPresent();
  }

  /** Hears how many values are at most as large as a bound. */
  interface Reader {
    void bucket(String bound, long count);
  }

  /**
   * Tells the buckets of a histogram.
   *
   * @return the number of all values
   */
  long read(Reader reader) {
    LongAdder[] all = buckets.orElseThrow();
    long count = 0;
    for (int i = 0; i < all.length; i++) {
      count += all[i].sum();
      reader.bucket(i < BOUNDS.length ? PrometheusText.number(BOUNDS[i]) : "+Inf", count);
    }
    return count;
  }
}
