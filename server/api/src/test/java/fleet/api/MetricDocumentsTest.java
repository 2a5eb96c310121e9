package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.metric.Metric;
import fleet.core.metric.MetricLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about metrics, the alerts and the dashboard know the metrics that fleetd serves. */
class MetricDocumentsTest {

  private static final Path ROOT = Path.of("../..");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\| ([^|]*)\\| ([^|]+)\\| ([^|]*)\\|$");
  private static final Pattern NAME = Pattern.compile("\\b(?:fleet|process|jvm)_[a-z_]+");
  private static final Pattern PART_OF_HISTOGRAM = Pattern.compile("_(bucket|sum|count)$");

  private static String text(String path) throws IOException {
    return Files.readString(ROOT.resolve(path));
  }

  private static String row(Metric metric) {
    String labels =
        metric.labels().stream().map(MetricDocumentsTest::label).collect(Collectors.joining("; "));
    return metric.id() + " " + metric.type().text() + " " + labels;
  }

  private static String label(MetricLabel label) {
    String values =
        label.values().stream().map(value -> "`" + value + "`").collect(Collectors.joining(", "));
    return "`" + label.name() + "`" + (values.isEmpty() ? "" : ": " + values);
  }

  @Test
  void thePageHasEveryMetricAndNoOther() throws Exception {
    List<String> rows =
        ROW.matcher(text("docs/metrics.md"))
            .results()
            .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3).strip())
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            Arrays.stream(Metric.values()).map(MetricDocumentsTest::row).toList());
  }

  /** By Prometheus' conventions: a counter ends with its unit and total, a time is in seconds. */
  @Test
  void namesSayWhatTheyCount() {
    assertThat(Metric.values())
        .allSatisfy(metric -> {
          assertThat(metric.id()).matches("(fleet|process|jvm)_[a-z_]+");
          switch (metric.type()) {
            case COUNTER -> assertThat(metric.id()).endsWith("_total");
            case HISTOGRAM -> assertThat(metric.id()).endsWith("_seconds");
            case GAUGE -> assertThat(metric.id()).doesNotEndWith("_total");
          }
          assertThat(metric.help()).doesNotContain("\n", "\\").doesNotEndWith(".");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"fleet.rules.yml", "fleet-dashboard.json"})
  void alertsAndDashboardNameMetricsThatExist(String file) throws Exception {
    Set<String> named = new TreeSet<>();
    Matcher matcher = NAME.matcher(text("build/dist/files/share/prometheus/" + file));
    while (matcher.find()) {
      named.add(matcher.group());
    }
    assertThat(named).hasSizeGreaterThan(10);
    Set<String> served = Arrays.stream(Metric.values()).map(Metric::id).collect(Collectors.toSet());
    assertThat(named)
        .allSatisfy(name -> assertThat(served).contains(isHistogram(name) ? base(name) : name));
  }

  private static String base(String name) {
    return PART_OF_HISTOGRAM.matcher(name).replaceFirst("");
  }

  private static boolean isHistogram(String name) {
    return Arrays.stream(Metric.values())
        .anyMatch(metric ->
            metric.type() == Metric.Type.HISTOGRAM
                && !metric.id().equals(name)
                && metric.id().equals(base(name)));
  }
}
