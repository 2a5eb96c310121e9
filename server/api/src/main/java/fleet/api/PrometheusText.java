package fleet.api;

import fleet.core.metric.Metric;
import fleet.core.text.SingleLine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Metrics in the text format of Prometheus. Owned by one thread. */
final class PrometheusText {

  private static final double LARGEST_WHOLE = 1e15;

  private final StringBuilder text = new StringBuilder();

  /** Writes the metrics that have series in a table. */
  void write(List<MetricTable> tables) {
    for (Metric metric : Metric.values()) {
      write(metric, tables);
    }
  }

  private void write(Metric metric, List<MetricTable> tables) {
    if (tables.stream().allMatch(table -> table.of(metric).isEmpty())) {
      return;
    }
    String name = metric.id();
    text.append("# HELP ").append(name).append(' ').append(metric.help()).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(metric.type().text()).append('\n');
    for (MetricTable table : tables) {
      table.of(metric).entrySet().stream()
          .map(entry -> new Written(labels(metric, entry.getKey()), entry.getValue()))
          .sorted((one, other) -> one.labels().compareTo(other.labels()))
          .forEach(series -> write(name, series));
    }
  }

  private record Written(String labels, MetricSeries series) {}

  private void write(String name, Written written) {
    String labels = written.labels();
    MetricSeries series = written.series();
    if (!series.isHistogram()) {
      line(name, labels, series.sum());
      return;
    }
    String before = labels.isEmpty() ? "" : labels + ",";
    long count =
        series.read(
            (bound, upTo) -> line(name + "_bucket", before + label("le", bound), (double) upTo));
    line(name + "_sum", labels, series.sum());
    line(name + "_count", labels, (double) count);
  }

  private void line(String name, String labels, double value) {
    text.append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(number(value)).append('\n');
  }

  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String labels(Metric metric, List<String> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> label(metric.labels().get(i).name(), values.get(i)))
        .collect(Collectors.joining(","));
  }

  /** A label whose value may come from a machine. */
  private static String label(String name, String value) {
    String escaped = SingleLine.of(value).replace("\\", "\\\\").replace("\"", "\\\"");
    return name + "=\"" + escaped + "\"";
  }

  /** Appends metrics that another fleetd has written. */
  void append(String metrics) {
    text.append(metrics);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
