package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SubmitCommandTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";
  private static final String OTHER = "[Service]\nExecStart=/bin/false\n";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private Terminal terminal;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    terminal = new Terminal(directory, directory.resolve("fleet.sock"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private String stored(String name) {
    return UnitReader.file(daemon.unit(name).orElseThrow()).render();
  }

  @Test
  void createsAUnitFromAFile() throws Exception {
    terminal.write("a.service", "# a comment\n" + UNIT);

    assertThat(terminal.run("submit", "a")).isEqualTo(new Ran(0, "Unit a.service inactive\n", ""));
    assertThat(stored("a.service")).isEqualTo(UNIT);
  }

  @Test
  void leavesAUnitThatIsThereAlready() throws Exception {
    daemon.add("a.service", UNIT, "inactive");

    assertThat(terminal.run("submit", "a.service")).isEqualTo(new Ran(0, "", ""));
  }

  @Test
  void warnsOfADifferenceAndKeepsWhatIsThere() throws Exception {
    daemon.add("a.service", UNIT, "inactive");
    terminal.write("a.service", OTHER);

    Ran ran = terminal.run("submit", "a.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo(
            "WARNING: Unit a.service in registry differs from local unit file a.service."
                + " Add --replace to override.\n");
    assertThat(stored("a.service")).isEqualTo(UNIT);
  }

  @Test
  void replacesWhenToldSo() throws Exception {
    daemon.add("a.service", UNIT, "inactive");
    terminal.write("a.service", OTHER);

    assertThat(terminal.run("submit", "--replace", "a.service").code()).isZero();
    assertThat(stored("a.service")).isEqualTo(OTHER);
  }

  @Test
  void findsNothingToReplaceInTheSameText() throws Exception {
    daemon.add("a.service", UNIT, "inactive");
    terminal.write("a.service", UNIT);

    assertThat(terminal.run("submit", "--replace", "a.service"))
        .isEqualTo(new Ran(0, "Found same Unit(a.service) in Registry, nothing to do\n", ""));
  }

  @Test
  void replacesOnlyWhatIsNotInUse() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    terminal.write("a.service", OTHER);

    Ran ran = terminal.run("submit", "--replace", "a.service");

    assertThat(ran.err())
        .isEqualTo(
            "Warning: can not replace Unit(a.service) in state 'launched', use the appropriate"
                + " command: fleetctl start --replace\n");
    assertThat(stored("a.service")).isEqualTo(UNIT);
  }

  @Test
  void makesInstancesFromTheTemplateInTheCluster() throws Exception {
    daemon.add("web@.service", UNIT, "inactive");

    assertThat(terminal.run("submit", "web@1", "web@2").out())
        .isEqualTo("Unit web@1.service inactive\nUnit web@2.service inactive\n");
    assertThat(stored("web@2.service")).isEqualTo(UNIT);
    assertThat(daemon.requests().stream().filter(r -> r.endsWith("web@.service?text=1")))
        .hasSize(1);
  }

  @Test
  void manyAreCreatedInFewRequestsAndOneThatIsRefusedHindersNoOthers() throws Exception {
    String[] command = new String[451];
    command[0] = "submit";
    for (int i = 1; i < command.length; i++) {
      command[i] = "u%03d.service".formatted(i);
      String refused = i == 7 || i == 300 ? "[Unit]\nDescription=refuse me\n" : "";
      terminal.write(command[i], refused + UNIT);
    }

    Ran ran = terminal.run(command);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines()).hasSize(448).startsWith("Unit u001.service inactive");
    assertThat(ran.err())
        .isEqualTo(
            "Error creating units: failed creating unit u007.service: refused as asked (HTTP 400);"
                + " and 1 more\n");
    assertThat(daemon.requests().stream().filter(r -> r.startsWith("PUT"))).hasSize(3);
    assertThat(stored("u450.service")).isEqualTo(UNIT);
  }

  @Test
  void manyAreCreatedOneByOneWhereTheDaemonIsOfFleet1() throws Exception {
    daemon.close();
    try (FakeDaemon old =
        new FakeDaemon(directory.resolve("fleet.sock"), false, FakeDaemon::obedient)) {
      terminal.write("a.service", UNIT);
      terminal.write("b.service", UNIT);

      assertThat(terminal.run("submit", "a.service", "b.service").code()).isZero();
      assertThat(old.requests())
          .contains("PUT /fleet/v1/units/a.service", "PUT /fleet/v1/units/b.service");
    }
  }

  @Test
  void makesInstancesFromTheTemplateBesideTheFile() throws Exception {
    Files.createDirectory(directory.resolve("units"));
    terminal.write("units/web@.service", UNIT);

    assertThat(terminal.run("submit", "units/web@1.service").code()).isZero();
    assertThat(stored("web@1.service")).isEqualTo(UNIT);
  }

  @Test
  void namesTheLineThatDoesNotParse() throws Exception {
    Path file = terminal.write("a.service", "[Service]\nExecStart\n");

    Ran ran = terminal.run("submit", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error creating units: " + file + ":2: ").hasLineCount(1);
  }

  @Test
  void createsNothingWhereOneOfTheFilesIsBad() throws Exception {
    terminal.write("a.service", UNIT);
    terminal.write("b.service", "[Service\n");

    assertThat(terminal.run("submit", "a.service", "b.service").code()).isEqualTo(1);
    assertThat(daemon.unit("a.service")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "load", "submit"})
  void saysWhatIsWrongWithFiles(String command) throws Exception {
    Files.createDirectory(directory.resolve("dir.service"));
    terminal.write("big.service", "[Service]\nA=" + "x".repeat(UnitFile.MAX_BYTES) + "\n");
    terminal.write("empty.service", "# nothing\n");
    terminal.write("both.service", UNIT + "[X-Fleet]\nGlobal=true\nMachineID=abc\n");
    terminal.write("no-section.service", "ExecStart=/bin/true\n");
    terminal.write("old.snapshot", UNIT);
    pipe("pipe.service");
    Files.write(directory.resolve("latin.service"), new byte[] {'[', (byte) 0xe4, ']', '\n'});

    assertProblem(terminal.run(command, "dir.service"), "is a directory, not a unit file");
    assertProblem(terminal.run(command, "big.service"), "is too long for a unit file");
    assertProblem(terminal.run(command, "empty.service"), "is empty");
    terminal.write("shop.container", "[Container]\nImage=shop\n");
    assertProblem(
        terminal.run(command, "shop.container"),
        "; shop.container is a Quadlet file of podman, which fleet does not place");
    assertProblem(
        terminal.run(command, "no-section.service"),
        "has no [Section]: its options need one above them");
    assertProblem(terminal.run(command, "old.snapshot"), "has none of the unit types: ");
    assertProblem(terminal.run(command, "pipe.service"), "is a pipe or a device");
    assertProblem(terminal.run(command, "both.service"), "MachineID cannot be used with Global");
    assertProblem(terminal.run(command, "latin.service"), "not UTF-8");
    assertProblem(terminal.run(command, "nosuch.service"), "unable to find Unit(nosuch.service)");
    assertProblem(terminal.run(command, "web@1.service"), "unable to find template");
    assertProblem(terminal.run(command, "a b.service"), "invalid character ' ' in unit name");
  }

  private void pipe(String name) throws Exception {
    Process made = new ProcessBuilder("mkfifo", directory.resolve(name).toString()).start();
    assertThat(made.waitFor()).isZero();
  }

  private static void assertProblem(Ran ran, String text) {
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error creating units: ").contains(text).hasLineCount(1);
  }

  @Test
  void tellsWhatTheDaemonRefuses() throws Exception {
    terminal.write("a.service", "[Unit]\nDescription=refuse me\n");

    Ran ran = terminal.run("submit", "a.service");

    assertThat(ran)
        .isEqualTo(
            new Ran(
                1,
                "",
                "Error creating units: failed creating unit a.service: refused as asked"
                    + " (HTTP 400)\n"));
  }

  @Test
  void warnsOfRequirementsThatMeanNothing() throws Exception {
    terminal.write("a.service", UNIT + "\n[X-Fleet]\nMachineMeta=a=b\n");

    Ran ran = terminal.run("submit", "a.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo(
            "WARN Unit a.service: unrecognized requirement in [X-Fleet] section: \"MachineMeta\";"
                + " did you mean MachineMetadata?\n");
  }

  @Test
  void strictlyNothingIsCreatedWhereThereIsAWarning() throws Exception {
    terminal.write("good.service", UNIT);
    terminal.write("a.service", UNIT + "\n[X-Fleet]\nMachineMeta=a=b\n");

    Ran ran = terminal.run("submit", "--strict", "good.service", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("Error creating units: ")
        .endsWith(
            "a.service: unrecognized requirement in [X-Fleet] section: \"MachineMeta\"; did you mean"
                + " MachineMetadata? (--strict)\n");
    assertThat(terminal.run("submit", "--strict", "good.service").code()).isZero();
  }

  @Test
  void specifiersAreReplacedBeforeAUnitIsJudged() throws Exception {
    terminal.write("web@.service", UNIT + "\n[X-Fleet]\nMachineOf=db@%i\n");

    Ran instance = terminal.run("submit", "web@1");
    Ran template = terminal.run("submit", "web@.service");
    Ran strictly = terminal.run("submit", "--strict", "web@.service");

    String told =
        "with the specifiers of web@1.service replaced: MachineOf \"db@1\" can match no unit: no"
            + " unit is named so: did you mean db@1.service?";
    assertThat(instance.code()).isEqualTo(1);
    assertThat(instance.err()).startsWith("Error creating units: ").endsWith(told + "\n");
    assertThat(daemon.unit("web@1.service")).isEmpty();
    assertThat(template.err()).isEqualTo("WARN Unit web@.service: " + told + "\n");
    assertThat(strictly.code()).isEqualTo(1);
    assertThat(strictly.err()).endsWith(told + " (--strict)\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.scope", "x.device"})
  void aTypeThatSystemdDoesNotStartIsSaid(String name) throws Exception {
    terminal.write(name, "[Unit]\nDescription=x\n");

    String type = name.substring(2);
    assertThat(terminal.run("submit", name).err())
        .isEqualTo("WARN Unit " + name + ": systemd starts no " + type + " from a file\n");
    assertThat(terminal.run("submit", "--strict", name).code()).isEqualTo(1);
  }

  @Test
  void aNameThatIsNearlyThatOfAFileIsSaid() throws Exception {
    terminal.write("web.service", UNIT);
    terminal.write("web.timer", UNIT);

    assertThat(terminal.run("start", "web.sevice").err())
        .contains("unable to find Unit(web.sevice.service)")
        .endsWith("; did you mean web.service?\n");
    assertThat(terminal.run("submit", "web.timr").err()).endsWith("; did you mean web.timer?\n");
    assertThat(terminal.run("submit", "web.x").err()).doesNotContain("did you mean");
    assertThat(terminal.run("submit", "d\ufffd/web.service").err())
        .contains("a byte of the path is not UTF-8");
  }

  @Test
  void whatLiesBesideAUnitFileIsNoInstance() throws Exception {
    terminal.write("web@.service", UNIT);
    terminal.write("web@1.service.bak", UNIT);
    terminal.write("web@1.service~", UNIT);
    Files.createDirectory(directory.resolve("web@1.service.d"));
    Files.createDirectory(directory.resolve("web@2"));

    for (String beside : List.of("web@1.service.bak", "web@1.service.d")) {
      Ran ran = terminal.run("start", "--no-block", beside);
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .endsWith(beside + " is no unit file: its name ends in no type of unit\n");
    }
    assertThat(terminal.run("start", "--no-block", "web@1.service~").code()).isEqualTo(1);
    assertThat(terminal.run("submit", "web@2", "web@3.service.d").code()).isZero();
  }

  @Test
  void aDirectoryIsSaidToBeOne() throws Exception {
    Files.createDirectory(directory.resolve("shop"));

    Ran ran = terminal.run("submit", "shop");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("shop is a directory: shop/ means the unit files in it")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "load", "submit", "restart"})
  void aPatternIsAWrongCall(String command) throws Exception {
    terminal.write("web@.service", UNIT);

    Ran ran = terminal.run(command, "web@*");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("Error: \"web@*.service\" is a pattern, and this takes names");
  }

  @Test
  void whatIsDoubtfulIsSaidEachTime() throws Exception {
    terminal.write("a.service", UNIT + "\n[X-Fleet]\nMachineMeta=a=b\n");
    Ran first = terminal.run("submit", "a.service");

    Ran again = terminal.run("submit", "a.service");
    Ran replacing = terminal.run("submit", "--replace", "a.service");
    Ran strictly = terminal.run("submit", "--strict", "a.service");

    assertThat(first.err()).startsWith("WARN Unit a.service: ");
    assertThat(again.code()).isZero();
    assertThat(again.err()).isEqualTo(first.err());
    assertThat(replacing.err()).isEqualTo(first.err());
    assertThat(strictly.code()).isEqualTo(1);
    assertThat(strictly.err()).endsWith(" (--strict)\n");
  }
}
