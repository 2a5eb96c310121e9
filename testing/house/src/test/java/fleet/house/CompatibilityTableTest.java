package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what became of fleet 1.0 is whole, and each of its rows has tests. */
class CompatibilityTableTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern STATE =
      Pattern.compile("same\\b.*|(differs|refused): .+|replaced by .+");
  private static final Pattern TEST = Pattern.compile("([A-Z]\\w+)#(\\w+)");

  private record Row(String names, String state, String tests) {}

  private static List<Row> rows() throws IOException {
    return ROW.matcher(Checkout.text("docs/compatibility-table.md"))
        .results()
        .map(row -> new Row(row.group(1), row.group(2), row.group(3)))
        .filter(row -> !row.names().equals("fleet 1.0"))
        .toList();
  }

  private static List<String> names() throws IOException {
    return rows().stream().flatMap(row -> Checkout.all(NAME, row.names()).stream()).toList();
  }

  private static List<String> words(String words) {
    return Arrays.stream(words.strip().split("\\s+", -1)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "submit, --replace --sign",
    "load, --block-attempts --no-block --replace --sign",
    "start, --block-attempts --no-block --replace --sign",
    "stop, --block-attempts --no-block",
    "unload, --block-attempts --no-block",
    "destroy, --block-attempts --no-block",
    "restart, --block-attempts",
    "cat, ''",
    "status, --ssh-port",
    "journal, --lines --follow --f --output --sudo --ssh-port",
    "ssh, --machine --unit --forward-agent --A --ssh-port",
    "list-machines, --full --l --no-legend --fields",
    "list-units, --full --l --no-legend --fields",
    "list-unit-files, --full --no-legend --fields",
    "fd-forward, ''",
    "verify, ''",
    "version, ''",
    "help, ''"
  })
  void everyCommandAndFlagHasARow(String command, String flags) throws Exception {
    List<String> expected = new ArrayList<>(List.of(command));
    words(flags).stream()
        .filter(flag -> !flag.isEmpty())
        .forEach(flag -> expected.add(command + " " + flag));
    assertThat(names()).containsAll(expected);
    assertThat(names().stream().filter(name -> name.startsWith(command + " ")))
        .as("flags that fleet 1.0 did not have")
        .isSubsetOf(expected);
  }

  @Test
  void everyGlobalFlagAndItsVariableHaveARow() throws Exception {
    List<String> flags =
        words(
            """
            --help --debug --version --driver --endpoint --etcd-key-prefix --key-file --cert-file
            --ca-file --known-hosts-file --strict-host-key-checking --ssh-timeout --tunnel
            --request-timeout --ssh-username --experimental-api --etcd-keyfile --etcd-certfile
            --etcd-cafile
            """);
    assertThat(names()).contains("--h").containsAll(flags);
    assertThat(names())
        .containsAll(
            flags.stream()
                .map(flag ->
                    "FLEETCTL_" + flag.substring(2).replace('-', '_').toUpperCase(Locale.ROOT))
                .toList());
  }

  @Test
  void everyOptionAndItsVariableHaveARow() throws Exception {
    List<String> options =
        words(
            """
            verbosity etcd_servers etcd_username etcd_password etcd_cafile etcd_certfile
            etcd_keyfile etcd_key_prefix etcd_request_timeout engine_reconcile_interval public_ip
            metadata agent_ttl units_directory systemd_user token_limit enable_grpc disable_engine
            disable_watches verify_units authorized_keys_file
            """);
    assertThat(names()).containsAll(options);
    assertThat(names())
        .containsAll(
            options.stream().map(option -> "FLEET_" + option.toUpperCase(Locale.ROOT)).toList());
  }

  @Test
  void everyLineOfFleetctlHasARow() throws Exception {
    assertThat(names())
        .contains(
            "Unit <n> inactive",
            "Unit <n> loaded on <machine>",
            "Unit <n> launched on <machine>",
            "Triggered unit <n> <verb>",
            "Triggered global unit <n> <verb>",
            "Destroyed <n>",
            "Successfully stopped units [<n>].",
            "Successfully unloaded units [<n>].",
            "Units not found in registry",
            "Found same Unit(<n>) in Registry, nothing to do",
            "Unit <n> not found",
            "Unit <n> does not exist.",
            "No units given");
  }

  @Test
  void everyEndpointMetricAndKeyHasARow() throws Exception {
    assertThat(names())
        .contains(
            "GET /units",
            "GET /units/<name>",
            "PUT /units/<name>",
            "DELETE /units/<name>",
            "GET /state",
            "GET /state/<name>",
            "GET /machines",
            "PATCH /machines",
            "GET /discovery",
            "GET /metrics",
            "/fleet/v1",
            "/v1-alpha",
            "alt=json",
            "nextPageToken=",
            "machineID=",
            "unitName=")
        .containsAll(
            words(
                """
                fleet_engine_leader_start_time fleet_engine_task_count_total
                fleet_engine_task_failure_count_total fleet_engine_reconcile_count_total
                fleet_engine_reconcile_failure_count_total
                """))
        .containsAll(
            words(
                """
                /unit/<sha1> /job/<name>/object /job/<name>/target-state /job/<name>/target
                /job/<name>/job-state /states/<name>/<machine> /state/<name> /machines/<id>/object
                /machines/<id>/metadata/<key> /lease/engine-leader /engine/version
                """))
        .containsAll(
            words(
                """
                MachineID MachineOf MachineMetadata Conflicts Global Replaces X-ConditionMachineID
                X-ConditionMachineBootID X-ConditionMachineOf X-ConditionMachineMetadata X-Conflicts
                %n %N %p %i [Install]
                """))
        .contains("SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "fleetd -config", "fleetd version")
        .contains("Server:", "fleet.service", "fleet.socket", "rpc.Registry");
  }

  @Test
  void noNameHasTwoRowsAndNoRowIsOpen() throws Exception {
    assertThat(names()).doesNotHaveDuplicates();
    assertThat(rows())
        .hasSizeGreaterThan(120)
        .allSatisfy(row -> {
          assertThat(row.state()).as(row.names()).matches(STATE);
          assertThat(row.tests()).as(row.names()).containsPattern(TEST);
        });
  }

  @Test
  void everyNamedTestExists() throws Exception {
    Map<String, Path> sources = tests();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      for (String test : row.tests().split(", ", -1)) {
        var named = TEST.matcher(test);
        if (!named.matches()
            || !sources.containsKey(named.group(1))
            || !has(sources.get(named.group(1)), named.group(2))) {
          missing.add(row.names() + ": " + test);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean has(Path source, String method) throws IOException {
    return Files.readString(source).contains(" void " + method + "(");
  }

  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (String module : Checkout.modules()) {
      Path folder = Checkout.file(module).resolve("src/test/java");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .filter(file -> file.toString().endsWith("Test.java"))
              .forEach(file -> tests.put(file.getFileName().toString().replace(".java", ""), file));
        }
      }
    }
    return tests;
  }
}
