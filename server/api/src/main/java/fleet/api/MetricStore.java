package fleet.api;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of this process. Counters are kept here; gauges are asked of sources at each scrape,
 * so that nothing is computed without a reader. Safe for use by many threads.
 */
public final class MetricStore implements Meter {

  private static final Logger LOG = LoggerFactory.getLogger(MetricStore.class);

  private final MetricTable kept = new MetricTable().begun();
  private final List<Source> sources = new CopyOnWriteArrayList<>();

  /** Knows the present values of gauges. */
  @FunctionalInterface
  public interface Source {
    /** Records them; waits at most a moment, as a scrape does not take long. */
    void tell(Meter meter) throws InterruptedException;
  }

  /** Makes a store with the metrics of the process. */
  public MetricStore() {
    ask(ProcessMetrics::tell);
  }

  /** Adds a source. */
  public void ask(Source source) {
    sources.add(source);
  }

  @Override
  public void record(Metric metric, double amount, String... labels) {
    kept.record(metric, amount, labels);
  }

  /** Asks the sources. A source that fails is left out. */
  Scrape scrape() throws InterruptedException {
    MetricTable now = new MetricTable();
    for (Source source : sources) {
      try {
        source.tell(now);
      } catch (RuntimeException e) {
        LOG.debug("metrics are missing", e);
      }
    }
    return new Scrape(List.of(kept, now));
  }

  /** The metrics at one moment. */
  record Scrape(List<MetricTable> tables) {

    boolean has(Metric metric) {
      return tables.stream().anyMatch(table -> !table.of(metric).isEmpty());
    }

    PrometheusText text() {
      PrometheusText text = new PrometheusText();
      text.write(tables);
      return text;
    }
  }
}
