package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.ClusterCounts;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Metrics for monitoring, in the text format of Prometheus. */
final class MetricsResource {

  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** The path of the leader's metrics. */
  static final String OF_CLUSTER = "/metrics/cluster";

  private final MetricStore store;
  private final OfCluster cluster;

  /** Asks the leader. */
  interface OfCluster {
    /** The metrics at {@link #OF_CLUSTER}; empty if no server can answer. */
    Optional<byte[]> ask() throws IOException;
  }

  MetricsResource(MetricStore store, OfCluster cluster) {
    this.store = store;
    this.cluster = cluster;
  }

  /**
   * Metrics of this fleetd. The leader's have those of the cluster; another fleetd fetches them
   * only on demand.
   */
  void all(Exchange exchange) throws IOException, InterruptedException {
    MetricStore.Scrape scrape = store.scrape();
    PrometheusText text = scrape.text();
    if (exchange.flag("cluster") && !scrape.has(Metric.FLEET_MACHINES)) {
      cluster.ask().ifPresent(bytes -> text.append(new String(bytes, UTF_8)));
    }
    reply(exchange, text);
  }

  /** Metrics of the cluster alone. */
  void ofCluster(Exchange exchange) throws IOException {
    MetricTable table = new MetricTable();
    tell(exchange.cluster().tally(), table);
    PrometheusText text = new PrometheusText();
    text.write(List.of(table));
    reply(exchange, text);
  }

  private static void tell(ClusterCounts counts, Meter meter) {
    meter.record(Metric.FLEET_MACHINES, counts.machines());
    meter.record(Metric.FLEET_UNITS, counts.units());
    counts
        .states()
        .forEach((active, count) -> meter.record(Metric.FLEET_UNIT_STATES, count, active));
  }

  private static void reply(Exchange exchange, PrometheusText text) throws IOException {
    exchange.reply(200, TYPE, text.toString().getBytes(UTF_8));
  }
}
