package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.UnixOperatingSystemMXBean;
import fleet.cluster.ClusterCounts;
import fleet.core.text.SingleLine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
  private final OfCluster cluster;

  /** Asks the leader. */
  interface OfCluster {
    /** The metrics at {@link #OF_CLUSTER}; empty if no server can answer. */
    Optional<byte[]> ask() throws IOException;
  }

  MetricsResource(RequestCounts counts, OfCluster cluster) {
    this.counts = counts;
    this.cluster = cluster;
  }

  /**
   * Metrics of this fleetd; those of the cluster only on demand, as a fleetd that does not lead has
   * to fetch them.
   */
  void all(Exchange exchange) throws IOException {
    exchange.allow("GET");
    StringBuilder text = new StringBuilder();
    requests(text);
    process(text);
    if (exchange.flag("cluster")) {
      cluster.ask().ifPresent(bytes -> text.append(new String(bytes, UTF_8)));
    }
    reply(exchange, text);
  }

  /** Metrics of the cluster alone. */
  void ofCluster(Exchange exchange) throws IOException {
    exchange.allow("GET");
    StringBuilder text = new StringBuilder();
    cluster(exchange.cluster().tally(), text);
    reply(exchange, text);
  }

  private static void reply(Exchange exchange, StringBuilder text) throws IOException {
    exchange.reply(200, TYPE, text.toString().getBytes(UTF_8));
  }

  private void requests(StringBuilder text) {
    header(text, "fleet_http_requests_total", "counter", "Requests answered by the API");
    counts
        .read()
        .forEach((kind, count) ->
            text.append("fleet_http_requests_total{method=\"")
                .append(label(kind.method()))
                .append("\",code=\"")
                .append(kind.status())
                .append("\"} ")
                .append(count)
                .append('\n'));
  }

  private static void cluster(ClusterCounts tally, StringBuilder text) {
    metric(text, "fleet_machines", "gauge", "Machines present", tally.machines());
    metric(text, "fleet_units", "gauge", "Units of the cluster", tally.units());
    header(text, "fleet_unit_states", "gauge", "Unit states by active state, on all machines");
    tally
        .states()
        .forEach((active, count) ->
            text.append("fleet_unit_states{active=\"")
                .append(label(active))
                .append("\"} ")
                .append(count)
                .append('\n'));
  }

  /** Escapes a label's value for Prometheus: states come from machines. */
  private static String label(String value) {
    return SingleLine.of(value).replace("\\", "\\\\").replace("\"", "\\\"");
  }

  private static void process(StringBuilder text) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os) {
      metric(
          text,
          "process_cpu_seconds_total",
          "counter",
          "CPU time of the process in seconds",
          os.getProcessCpuTime() / NANOS);
      metric(
          text,
          "process_open_fds",
          "gauge",
          "Open file descriptors",
          os.getOpenFileDescriptorCount());
      metric(
          text,
          "process_max_fds",
          "gauge",
          "Limit of open file descriptors",
          os.getMaxFileDescriptorCount());
    }
    residentBytes()
        .ifPresent(bytes ->
            metric(
                text,
                "process_resident_memory_bytes",
                "gauge",
                "Resident memory of the process",
                bytes));
    metric(
        text,
        "process_start_time_seconds",
        "gauge",
        "Start of the process, in seconds since 1970",
        ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    metric(
        text,
        "jvm_memory_heap_used_bytes",
        "gauge",
        "Java heap in use",
        memory.getHeapMemoryUsage().getUsed());
    metric(
        text,
        "jvm_threads",
        "gauge",
        "Platform threads",
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static Optional<Long> residentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      LOG.debug("no resident memory in the metrics", e);
      return Optional.empty();
    }
  }

  private static void metric(
      StringBuilder text, String name, String type, String help, Number value) {
    header(text, name, type, help);
    text.append(name).append(' ').append(value).append('\n');
  }

  private static void header(StringBuilder text, String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }
}
