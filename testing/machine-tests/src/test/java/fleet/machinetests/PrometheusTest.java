package fleet.machinetests;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Prometheus;
import fleet.testkit.SharedMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes three machines with the example that is shipped. */
@ExtendWith(MachinesExtension.class)
class PrometheusTest {

  private static final Path ROOT = Path.of(System.getProperty("fleet.root", ""));
  private static final Pattern HEALTH = Pattern.compile("\"health\":\"([a-z]+)\"");
  private static final Pattern LAST_EVALUATION = Pattern.compile("\"lastEvaluation\":\"([^\"]*)\"");
  private static final Pattern NAME = Pattern.compile("\"([a-z_]+)\"");

  /** Series that Prometheus adds of its own. */
  private static final Pattern ADDED = Pattern.compile("up|scrape_.*");

  @TempDir private static Path folder;

  private static FleetCluster cluster;
  private static Prometheus prometheus;

  @BeforeAll
  static void scrape(SharedMachines machines) throws IOException {
    cluster = machines.onEtcd();
    Path example = ROOT.resolve("target/fleet/share/prometheus");
    Files.copy(example.resolve("fleet.rules.yml"), folder.resolve("fleet.rules.yml"));
    String configuration = Files.readString(example.resolve("prometheus.yml"));
    assertThat(configuration).contains("_interval: 15s");
    configuration = configuration.replace("_interval: 15s", "_interval: 1s");
    for (int i = 1; i <= 3; i++) {
      String placeholder = "10.0.0.%d:%d".formatted(i, SharedMachines.METRICS_PORT);
      assertThat(configuration).contains(placeholder);
      configuration = configuration.replace(placeholder, target(i));
    }
    Files.writeString(folder.resolve("prometheus.yml"), configuration);
    prometheus = Prometheus.start(folder);
  }

  @AfterAll
  static void end() {
    prometheus.close();
  }

  private static String target(int number) {
    return cluster.machine(number).machine().address() + ":" + SharedMachines.METRICS_PORT;
  }

  @Test
  void itsToolFindsNoFaultInTheExample() {
    assertThat(Prometheus.promtool("check", "config", folder.resolve("prometheus.yml").toString()))
        .contains("SUCCESS", "rules found");
  }

  @Test
  void allMachinesAreUp() {
    awaitScrapes();

    String targets = prometheus.get("targets?state=active");
    for (int number = 1; number <= 3; number++) {
      assertThat(targets).contains("\"instance\":\"" + target(number) + "\"");
    }
  }

  private static void awaitScrapes() {
    cluster.await(
        "all machines are up",
        () ->
            all(HEALTH, prometheus.get("targets?state=active")).equals(List.of("up", "up", "up")));
  }

  @Test
  void allRulesCanBeEvaluated() throws IOException {
    long alerts =
        Files.readString(folder.resolve("fleet.rules.yml"))
            .lines()
            .filter(line -> line.contains("- alert:"))
            .count();
    assertThat(alerts).isPositive();
    awaitScrapes();
    cluster.await(
        "all rules are evaluated",
        () ->
            all(HEALTH, rules()).stream().filter(health -> !health.equals("unknown")).count()
                == alerts);

    assertThat(all(HEALTH, rules())).containsOnly("ok");
    assertThat(rules()).doesNotContain("\"lastError\"");
    assertThat(all(LAST_EVALUATION, rules())).noneMatch(time -> time.startsWith("0001-"));
  }

  private static String rules() {
    return prometheus.get("rules");
  }

  @Test
  void theDocumentsHaveEachMetricThatItFinds() throws IOException {
    awaitScrapes();

    String document = Files.readString(ROOT.resolve("docs/metrics.md"));
    String found = prometheus.get("label/__name__/values?match[]={job=%22fleet%22}");
    Set<String> names =
        all(NAME, found.substring(found.indexOf('['))).stream()
            .filter(name -> !ADDED.matcher(name).matches())
            .map(name -> withoutSuffix(name, document))
            .collect(toSet());

    assertThat(names).contains("fleet_ready", "fleet_engine_turn_seconds", "fleet_machines");
    assertThat(names).allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
  }

  /** A histogram has three series for each of its own. */
  private static String withoutSuffix(String name, String document) {
    return document.contains("`" + name + "`")
        ? name
        : name.replaceFirst("_(bucket|sum|count)$", "");
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }
}
