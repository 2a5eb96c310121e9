package fleet.core.testing;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the sums of what was recorded. Safe for use by many threads. */
public final class RecordedMetrics implements Meter {

  private final Map<String, Double> sums = new ConcurrentHashMap<>();

  @Override
  public void record(Metric metric, double amount, String... labels) {
    sums.merge(key(metric, labels), amount, Double::sum);
  }

  private static String key(Metric metric, String... labels) {
    return metric.id() + List.of(labels);
  }

  public int of(Metric metric, String... labels) {
    return sums.getOrDefault(key(metric, labels), 0.0).intValue();
  }

  /** Whether anything was recorded, be it 0. */
  public boolean has(Metric metric, String... labels) {
    return sums.containsKey(key(metric, labels));
  }
}
