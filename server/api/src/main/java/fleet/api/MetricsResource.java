package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.UnixOperatingSystemMXBean;
import fleet.cluster.ClusterCounts;
import fleet.cluster.EngineCounts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics for monitoring, in the text format of Prometheus. */
final class MetricsResource {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsResource.class);
  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final double NANOS = 1e9;

  /** The path of the leader's metrics. */
  static final String OF_CLUSTER = "/metrics/cluster";

  private final RequestCounts counts;
  private final Supplier<EngineCounts> engine;
  private final OfCluster cluster;

  /** Asks the leader. */
  interface OfCluster {
    /** The metrics at {@link #OF_CLUSTER}; empty if no server can answer. */
    Optional<byte[]> ask() throws IOException;
  }

  /**
   * @param engine the work of this fleetd's own engine, at once
   */
  MetricsResource(RequestCounts counts, Supplier<EngineCounts> engine, OfCluster cluster) {
    this.counts = counts;
    this.engine = engine;
    this.cluster = cluster;
  }

  /**
   * Metrics of this fleetd; those of the cluster only on demand, as a fleetd that does not lead has
   * to fetch them.
   */
  void all(Exchange exchange) throws IOException {
    exchange.allow("GET");
    PrometheusText text = new PrometheusText();
    requests(text);
    EngineMetricsText.write(engine.get(), text);
    process(text);
    if (exchange.flag("cluster")) {
      cluster.ask().ifPresent(bytes -> text.append(new String(bytes, UTF_8)));
    }
    reply(exchange, text);
  }

  /** Metrics of the cluster alone. */
  void ofCluster(Exchange exchange) throws IOException {
    exchange.allow("GET");
    PrometheusText text = new PrometheusText();
    cluster(exchange.cluster().tally(), text);
    reply(exchange, text);
  }

  private static void reply(Exchange exchange, PrometheusText text) throws IOException {
    exchange.reply(200, TYPE, text.toString().getBytes(UTF_8));
  }

  private void requests(PrometheusText text) {
    String name = "fleet_http_requests_total";
    text.header(name, "counter", "Requests answered by the API");
    counts
        .read()
        .forEach((kind, count) ->
            text.series(
                name,
                PrometheusText.label("method", kind.method())
                    + ","
                    + PrometheusText.label("code", Integer.toString(kind.status())),
                count));
  }

  private static void cluster(ClusterCounts tally, PrometheusText text) {
    text.metric("fleet_machines", "gauge", "Machines present", tally.machines());
    text.metric("fleet_units", "gauge", "Units of the cluster", tally.units());
    text.header("fleet_unit_states", "gauge", "Unit states by active state, on all machines");
    tally
        .states()
        .forEach((active, count) ->
            text.series("fleet_unit_states", PrometheusText.label("active", active), count));
  }

  private static void process(PrometheusText text) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os) {
      text.metric(
          "process_cpu_seconds_total",
          "counter",
          "CPU time of the process in seconds",
          os.getProcessCpuTime() / NANOS);
      text.metric(
          "process_open_fds", "gauge", "Open file descriptors", os.getOpenFileDescriptorCount());
      text.metric(
          "process_max_fds",
          "gauge",
          "Limit of open file descriptors",
          os.getMaxFileDescriptorCount());
    }
    memory(text);
    text.metric(
        "process_start_time_seconds",
        "gauge",
        "Start of the process, in seconds since 1970",
        ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    text.metric(
        "jvm_memory_heap_used_bytes",
        "gauge",
        "Java heap in use",
        memory.getHeapMemoryUsage().getUsed());
    text.metric(
        "jvm_threads",
        "gauge",
        "Platform threads",
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static void memory(PrometheusText text) {
    List<String> status = processStatus();
    bytes(status, "VmRSS:")
        .ifPresent(bytes ->
            text.metric(
                "process_resident_memory_bytes", "gauge", "Resident memory of the process", bytes));
    bytes(status, "VmSize:")
        .ifPresent(bytes ->
            text.metric(
                "process_virtual_memory_bytes", "gauge", "Virtual memory of the process", bytes));
  }

  private static Optional<Long> bytes(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst();
  }

  private static List<String> processStatus() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status"));
    } catch (IOException e) {
      LOG.debug("no memory in the metrics", e);
      return List.of();
    }
  }
}
