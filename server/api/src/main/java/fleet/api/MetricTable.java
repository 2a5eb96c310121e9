package fleet.api;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The series of metrics, each by the values of its labels. Safe for use by many threads. */
final class MetricTable implements Meter {

  private final Map<Metric, Map<List<String>, MetricSeries>> series = new EnumMap<>(Metric.class);

  MetricTable() {
    for (Metric metric : Metric.values()) {
      series.put(metric, new ConcurrentHashMap<>());
    }
  }

  /** Counters and histograms begin at zero, so that the first event counts as an increase. */
  MetricTable begun() {
    for (Metric metric : Metric.values()) {
      metric.initialSeries().forEach(labels -> series(metric, labels));
    }
    return this;
  }

  @Override
  public void record(Metric metric, double amount, String... labels) {
    int count = metric.labels().size();
    if (labels.length != count) {
      throw new IllegalArgumentException(metric.id() + " has " + count + " labels");
    }
    List<String> bounded = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      bounded.add(metric.labels().get(i).bounded(labels[i]));
    }
    series(metric, bounded).add(amount);
  }

  private MetricSeries series(Metric metric, List<String> labels) {
    return of(metric).computeIfAbsent(labels, _ -> MetricSeries.of(metric.type()));
  }

  /** The series of a metric, by the values of its labels. */
  Map<List<String>, MetricSeries> of(Metric metric) {
    return series.getOrDefault(metric, Map.of());
  }
}
