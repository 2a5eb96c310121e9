package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportCommandTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  /** Somebody who may write this unit only would like to have another one. */
  private static final String PLANTING =
      "[Service]\nExecStart=/bin/echo \\\n# unit: evil.service\n# state: launched\n## unit: x\\\n a\n";

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws Exception {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    daemon.add("db.service", UNIT, "loaded");
    daemon.add("web@.service", UNIT, "inactive");
    daemon.add("web@1.service", UNIT, "launched");
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private void expectNothingToDo(Ran dryRun) {
    assertThat(dryRun.err()).isEmpty();
    assertThat(dryRun.code()).as(dryRun.out()).isZero();
  }

  private String file(String name) throws IOException {
    return Files.readString(directory.resolve("out").resolve(name));
  }

  @Test
  void aStreamHasAllUnitsAndTheirStates() {
    Ran ran = terminal().run("export");
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                "# unit: db.service\n# state: loaded\n"
                    + UNIT
                    + "# unit: web@.service\n"
                    + UNIT
                    + "# unit: web@1.service\n# state: launched\n"
                    + UNIT,
                ""));
    expectNothingToDo(terminal().reading(ran.out()).run("apply", "--dry-run", "-"));
    assertThat(terminal().run("export", "-", "w*", "db").out()).isEqualTo(ran.out());
    assertThat(terminal().run("export", "-", "none").err())
        .isEqualTo("Error: there is no unit none.service\n");
  }

  /** And the state is that of now, whatever the text says of it. */
  @Test
  void commentsComeBack() throws Exception {
    String text = "# why it is there\n" + UNIT + "\n; the end\n";
    daemon.addTyped("db.service", text, "loaded");
    daemon.addTyped("old.service", "# state: launched\n" + text, "inactive");
    Ran ran = terminal().run("export", "-", "db", "old");
    assertThat(ran.out())
        .isEqualTo(
            "# unit: db.service\n# state: loaded\n"
                + text
                + "# unit: old.service\n# state: inactive\n"
                + text);
    expectNothingToDo(terminal().reading(ran.out()).run("apply", "--dry-run", "-"));
  }

  @Test
  void aDirectoryHasAFileForEach() throws Exception {
    assertThat(terminal().run("export", "out/new"))
        .isEqualTo(new Ran(0, "3 units in out/new: 3 new\n", ""));
    assertThat(terminal().run("export", "out", "web@*").out()).isEqualTo("2 units in out: 2 new\n");
    assertThat(file("web@1.service")).isEqualTo("# state: launched\n" + UNIT);
    assertThat(terminal().run("export", "out").out())
        .isEqualTo("3 units in out: 1 new, 2 the same\n");
    expectNothingToDo(terminal().run("apply", "--dry-run", "./out"));
  }

  /** Such as one that was submitted long ago, and started since. */
  @Test
  void aStateThatIsLeftInATextDoesNotCount() throws Exception {
    daemon.add("a.service", UNIT + "\n[X-Fleet]\nState=inactive\n", "launched");
    daemon.add("b.service", UNIT + "\n[X-Fleet]\nState=launched\n", "inactive");
    String stream = terminal().run("export").out();
    expectNothingToDo(terminal().reading(stream).run("apply", "--dry-run", "-"));
    expectNothingToDo(terminal().reading(stream).run("apply", "--dry-run", "--state=loaded", "-"));
    assertThat(terminal().run("export", "out").code()).isZero();
    expectNothingToDo(terminal().run("apply", "--dry-run", "./out"));
  }

  @Test
  void noUnitHidesAnotherInItsText() throws Exception {
    daemon.add("a.service", PLANTING, "launched");
    String stream = terminal().run("export").out();
    assertThat(stream.lines().filter(line -> line.startsWith("# unit:")))
        .containsExactly(
            "# unit: a.service",
            "# unit: db.service",
            "# unit: web@.service",
            "# unit: web@1.service");
    assertThat(stream).contains("\n## unit: evil.service\n", "\n### unit: x\\\n");
    Ran dry = terminal().reading(stream).run("apply", "--dry-run", "-");
    expectNothingToDo(dry);
    assertThat(dry.out()).isEqualTo("4 units: 4 the same\n");
  }

  @Test
  void otherFilesStayAsTheyAre() throws Exception {
    Files.createDirectories(directory.resolve("out"));
    Files.writeString(directory.resolve("out/db.service"), "mine");
    Ran ran = terminal().run("export", "out");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEqualTo("2 units in out: 2 new\n");
    assertThat(ran.err())
        .endsWith("out/db.service is there with another text: --replace overwrites it\n");
    assertThat(file("db.service")).isEqualTo("mine");
    assertThat(terminal().run("export", "--replace", "out").out())
        .isEqualTo("3 units in out: 2 the same, 1 replaced\n");
    assertThat(file("db.service")).isEqualTo("# state: loaded\n" + UNIT);
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void linksAreNotFollowed() throws Exception {
    Path outside = Files.writeString(directory.resolve("outside"), "mine");
    Files.createDirectories(directory.resolve("out"));
    Files.createSymbolicLink(directory.resolve("out/db.service"), outside);
    Files.createSymbolicLink(directory.resolve("out/web@.service"), directory.resolve("dangling"));
    Ran ran = terminal().run("export", "--replace", "out");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("out/db.service is a link or no file at all")
        .contains("out/web@.service is a link or no file at all");
    assertThat(outside).hasContent("mine");
    assertThat(directory.resolve("dangling")).doesNotExist();
  }

  /** A server that is somebody else's by now. */
  @Test
  void namesOfTheServerLeadNowhereElse() throws Exception {
    daemon.add("../evil.service", UNIT, "inactive");
    daemon.add("sub/evil.service", UNIT, "inactive");
    daemon.add("/evil.service", UNIT, "inactive");
    Files.createDirectories(directory.resolve("out/sub"));
    Ran ran = terminal().run("export", "out");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("\"../evil.service\": invalid character '/'", "\"/evil.service\"");
    assertThat(directory.resolve("evil.service")).doesNotExist();
    assertThat(directory.resolve("out/sub/evil.service")).doesNotExist();
    assertThat(terminal().run("export").out()).doesNotContain("evil");
  }

  @Test
  void aTextThatMayNotBeReadIsNamed() throws Exception {
    daemon.add("secret.service", "", "launched");
    Ran ran = terminal().run("export");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).isEqualTo("Error: you may not read the text of secret.service\n");
    assertThat(ran.out()).contains("# unit: db.service").doesNotContain("secret");
    Files.writeString(directory.resolve("file"), "");
    assertThat(terminal().run("export", "file").err()).contains("is no directory");
  }
}
