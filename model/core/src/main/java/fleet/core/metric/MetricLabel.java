package fleet.core.metric;

import java.util.List;

/**
 * A label of a metric.
 *
 * @param values all that it can have beside {@link #OTHER}; empty if only the source of the values
 *     bounds them, such as the kinds of answers that the API gives. Names of units or machines are
 *     never values
 */
public record MetricLabel(String name, List<String> values) {

  /** Stands for every value that is not listed. */
  public static final String OTHER = "other";

  public MetricLabel {
    values = List.copyOf(values);
  }

  static MetricLabel of(String name, String... values) {
    return new MetricLabel(name, List.of(values));
  }

  /** The value, or {@link #OTHER} if it is none of the values that the label can have. */
  public String bounded(String value) {
    return values.isEmpty() || values.contains(value) ? value : OTHER;
  }
}
