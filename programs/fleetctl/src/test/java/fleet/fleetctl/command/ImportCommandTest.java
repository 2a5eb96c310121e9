package fleet.fleetctl.command;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.UnitEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two clusters: the former one, which is of fleet 1.0, and the one that the units come to. */
final class ImportCommandTest {

  private static final String TRUE = "[Service]\nExecStart=/bin/true\n";
  private static final String FALSE = "[Service]\nExecStart=/bin/false\n";

  @TempDir Path directory;
  private FakeDaemon former;
  private FakeDaemon here;
  private String url = "";

  @BeforeEach
  void clusters() throws Exception {
    former = new FakeDaemon(directory.resolve("former.sock"), false, FakeDaemon::obedient);
    here = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    url = "unix://" + directory.resolve("former.sock");
    former.add("web.service", TRUE, "launched");
    former.gone("web.service");
    former.add("idle.service", TRUE, "loaded");
    former.add("text.service", TRUE, "inactive");
  }

  @AfterEach
  void stop() throws IOException {
    former.close();
    here.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private String desired(String unit) {
    return here.unit(unit).map(UnitEntity::desiredState).orElse("none");
  }

  @Test
  void unitsComeWithTheirDesiredStates() {
    Ran ran = terminal().run("import", "--yes", url);
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                """
                idle.service  new, loaded
                text.service  new, inactive
                web.service   new, launched
                3 units in %s: 3 new
                Imported 3 units.
                """
                    .formatted(url),
                ""));
    assertThat(desired("web.service")).isEqualTo("launched");
    assertThat(desired("idle.service")).isEqualTo("loaded");
    assertThat(desired("text.service")).isEqualTo("inactive");

    assertThat(terminal().run("import", "--yes", url))
        .isEqualTo(new Ran(0, "3 units in " + url + ": 3 the same\n", ""));
  }

  @Test
  void aUnitThatRunsThereStartsHereOnceItDoesNoMore() {
    former.state("web.service", "active", "running", "success");
    Ran ran = terminal().run("import", "--yes", url);
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("web.service   new, inactive: it still runs there, on ");
    assertThat(ran.err())
        .isEqualTo("1 unit still runs in the other cluster: stop it there, and import again\n");
    assertThat(desired("web.service")).isEqualTo("inactive");

    assertThat(terminal().run("import", "--yes", url).out())
        .startsWith("web.service   stays inactive: it still runs there, on ");
    former.gone("web.service");
    assertThat(terminal().run("import", "--yes", url).out())
        .isEqualTo(
            """
            web.service   is here, now launched
            3 units in %s: 1 started here, 2 the same
            Imported 1 unit.
            """
                .formatted(url));
    assertThat(desired("web.service")).isEqualTo("launched");
  }

  /** Its fleetd is away, as in maintenance, and its units run on. */
  @Test
  void aUnitOfAMachineThatDoesNotReportIsNotStartedHere() {
    former.unreported(List.of(UnreportedEntity.named("m9", List.of("web.service"))));
    Ran ran = terminal().run("import", "--yes", url);
    assertThat(ran.out())
        .contains("web.service   new, inactive: it still runs there, on m9 (does not report)\n");
    assertThat(desired("web.service")).isEqualTo("inactive");
    assertThat(desired("idle.service")).isEqualTo("loaded");
  }

  @ParameterizedTest
  @CsvSource({"--inactive,inactive", "--even-if-active,launched"})
  void desiredStatesAreTakenOverAsTold(String option, String state) {
    former.state("web.service", "active", "running", "success");
    assertThat(terminal().run("import", "--yes", option, url).code()).isZero();
    assertThat(desired("web.service")).isEqualTo(state);
  }

  @Test
  void aUnitWithAnotherTextIsLeftAlone() throws Exception {
    here.add("web.service", FALSE, "inactive");
    Ran ran = terminal().run("import", "--yes", url);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("web.service   is here with another text: left alone\n")
        .contains(": 2 new, 1 different\n");
    assertThat(desired("web.service")).isEqualTo("inactive");
  }

  /** Somebody may have started it here since. */
  @Test
  void nothingIsStoppedHere() throws Exception {
    here.add("text.service", TRUE, "launched");
    assertThat(terminal().run("import", "--yes", url).code()).isZero();
    assertThat(desired("text.service")).isEqualTo("launched");
  }

  @Test
  void nothingChangesUnlessSomebodyAgrees() {
    Ran dry = terminal().run("import", "--dry-run", url);
    assertThat(dry.code()).isZero();
    assertThat(dry.out()).endsWith(": 3 new\n");
    assertThat(terminal().run("import", url).err())
        .isEqualTo("Error: this would change 3 units: add --yes if that is meant\n");
    Ran no = terminal().typing("n\n").run("import", url);
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err()).endsWith("Import 3 units? [y/N] Nothing was imported.\n");
    assertThat(desired("web.service")).isEqualTo("none");
    assertThat(terminal().typing("y\n").run("import", url).code()).isZero();
    assertThat(desired("web.service")).isEqualTo("launched");
  }

  @Test
  void keysAreReadFromAFile() throws Exception {
    try (var dump = ImportCommandTest.class.getResourceAsStream("/former-keys.json")) {
      Files.copy(dump, directory.resolve("keys.json"));
    }
    Ran ran = terminal().run("import", "--yes", "keys.json");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .isEqualTo(
            """
            db.service    new, launched
            mon.service   new, inactive: it still runs there, on 10.0.0.3 and 1 more
            lost.service  key /_coreos.com/fleet/unit/00ff is missing
            3 units in keys.json: 2 new, 1 unreadable
            Imported 2 units.
            """);
    assertThat(desired("db.service")).isEqualTo("launched");
  }

  /** Machines, leaders and places are known here in other ways. */
  @ParameterizedTest
  @CsvSource({
    "job/web.service/target, m1",
    "job/web.service/job-state, m1",
    "state/web.service, '{\"activeState\":\"active\"}'",
    "machines/m1/metadata/region, eu",
    "lease/engine-leader, '{\"MachineID\":\"m1\",\"Version\":1}'",
    "engine/version, 1",
    "offer/web.service/object, '{}'",
    "payload/web.service, '{}'",
    "mutex/job-web.service, m1",
    "signing/job-web.service, '{}'"
  })
  void otherKeysArePassedOver(String key, String value) throws Exception {
    String zeros = "0,".repeat(19);
    var keys = new TreeMap<String, String>();
    keys.put("unit/" + "00".repeat(19) + "01", "{\"Raw\":\"[Unit]\\nDescription=a\\n\"}");
    keys.put("job/web.service/object", "{\"Name\":\"web.service\",\"UnitHash\":[" + zeros + "1]}");
    keys.put("job/web.service/target-state", "launched");
    keys.put(key, value);
    String nodes = keys.entrySet().stream().map(ImportCommandTest::node).collect(joining(","));
    Files.writeString(
        directory.resolve("keys.json"), "{\"node\":{\"dir\":true,\"nodes\":[" + nodes + "]}}");

    assertThat(terminal().run("import", "--yes", "keys.json"))
        .isEqualTo(
            new Ran(
                0,
                """
                web.service  new, launched
                1 unit in keys.json: 1 new
                Imported 1 unit.
                """,
                ""));
  }

  private static String node(Map.Entry<String, String> entry) {
    String value = entry.getValue().replace("\\", "\\\\").replace("\"", "\\\"");
    return "{\"key\":\"/_coreos.com/fleet/%s\",\"value\":\"%s\"}".formatted(entry.getKey(), value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no.json|Error: there is no file no.json; ",
        "text.json|Error: text.json is no dump of fleet 1.0's keys: the text is not JSON",
        "error.json|it is an error of etcd: Key not found (/_coreos.com)",
        "empty.json|it has no keys of units, such as ",
        "unix:///no.sock|Error: cannot read unix:///no.sock: ",
        "htp://x|unknown scheme \"htp\""
      })
  void aSourceThatIsNoneIsNamed(String source, String problem) throws Exception {
    Files.writeString(directory.resolve("text.json"), "[Unit]\n");
    Files.writeString(
        directory.resolve("error.json"),
        "{\"errorCode\":100,\"message\":\"Key not found\",\"cause\":\"/_coreos.com\"}");
    Files.writeString(directory.resolve("empty.json"), "{\"node\":{\"key\":\"/\",\"dir\":true}}");
    Ran ran = terminal().run("--request-timeout=100ms", "import", "--yes", source);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(problem);
    assertThat(here.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"''", "--inactive --even-if-active x"})
  void optionsThatSayNothingAreUsageErrors(String options) {
    String[] words = ("import " + options).strip().split(" ", -1);
    assertThat(terminal().run(words).code()).isEqualTo(2);
  }
}
