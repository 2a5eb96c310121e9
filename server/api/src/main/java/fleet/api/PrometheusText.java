package fleet.api;

import fleet.core.text.SingleLine;

/** Metrics in the text format of Prometheus. Owned by one thread. */
final class PrometheusText {

  private final StringBuilder text = new StringBuilder();

  /** Begins a metric with several series. */
  void header(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /** A metric with one series. */
  void metric(String name, String type, String help, Number value) {
    header(name, type, help);
    text.append(name).append(' ').append(value).append('\n');
  }

  /**
   * One series of the metric that was begun.
   *
   * @param labels as {@link #label} makes them, with commas between
   */
  void series(String name, String labels, Number value) {
    text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }

  /** A label whose value may come from a machine. */
  static String label(String name, String value) {
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
