package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Units from directories and from standard input. */
final class UnitSourcesTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    Files.createDirectories(directory.resolve("shop/more"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private void write(String name, String text) throws IOException {
    var _ = Files.writeString(directory.resolve(name), text);
  }

  private String desired(String unit) {
    return daemon.unit(unit).map(UnitEntity::desiredState).orElse("none");
  }

  private String stored(String unit) {
    return daemon.unit(unit).map(UnitReader::file).map(UnitFile::render).orElse("none");
  }

  // ---- directories

  @ParameterizedTest
  @ValueSource(strings = {"shop/", "./shop", "shop/."})
  void aDirectoryMeansTheUnitFilesInIt(String given) throws Exception {
    write("shop/web.service", UNIT);
    write("shop/db.socket", "[Socket]\nListenStream=80\n");
    // Beside them, and no units.
    write("shop/web.service~", UNIT);
    write("shop/.web.service.swp", "\0");
    write("shop/.hidden.service", UNIT);
    write("shop/README.md", "about it");
    write("shop/more/far.service", UNIT);
    Files.createDirectory(directory.resolve("shop/web.service.d"));

    assertThat(terminal().run("submit", given))
        .isEqualTo(new Ran(0, "Unit db.socket inactive\nUnit web.service inactive\n", ""));
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertThat(terminal().run("start", "nowhere/").err())
        .isEqualTo("Error creating units: there is no directory nowhere/\n");
  }

  @Test
  void templatesInADirectoryAreUploadedAndTheOthersStart() throws Exception {
    write("shop/web@.service", UNIT);
    write("shop/web@1.service", UNIT);

    Ran ran = terminal().run("start", "shop/");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(desired("web@.service")).isEqualTo("inactive");
    assertThat(desired("web@1.service")).isEqualTo("launched");
    assertThat(terminal().run("load", "shop/").code()).isZero();
  }

  /** As it always was: what lies in the working directory does not change what a word means. */
  @Test
  void aWordWithoutASlashIsAUnit() throws Exception {
    write("shop/web.service", UNIT);
    write("shop.service", UNIT);

    assertThat(terminal().run("submit", "shop").out()).isEqualTo("Unit shop.service inactive\n");
    assertThat(terminal().run("submit", "./shop").code()).isZero();
    assertThat(desired("web.service")).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '$',
      value = {
        "shop/|shop/ has no unit files: their names end in .automount, ",
        "two/ shop/../one/|a.service is there twice: ",
        "bad/|\"not a unit.service\": invalid character ' '",
        "long/|long/a.service is too long for a unit file",
        "dirs/|dirs/a.service is a directory, not a unit file"
      })
  void aDirectoryThatCannotBeTakenIsExplained(String given, String problem) throws Exception {
    for (String name : new String[] {"one", "two", "bad", "long", "dirs/a.service"}) {
      Files.createDirectories(directory.resolve(name));
    }
    write("one/a.service", UNIT);
    write("two/a.service", UNIT);
    write("bad/not a unit.service", UNIT);
    write("long/a.service", UNIT + "#" + "x".repeat(UnitFile.MAX_BYTES));

    Ran ran = terminal().run(("submit " + given).split(" ", -1));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error creating units: ").contains(problem).hasLineCount(1);
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("PUT"));
  }

  // ---- standard input

  @Test
  void unitsOfAStreamBeginWithTheirNames() {
    String stream =
        "# all of the shop\n\n# unit: a.service\n"
            + UNIT
            + "\n#unit:b.service\r\n"
            + UNIT
            + "\uFEFF# unit: t@.service\n"
            + UNIT;

    Ran ran = terminal().reading(stream).run("start", "-");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(desired("a.service")).isEqualTo("launched");
    assertThat(desired("b.service")).isEqualTo("launched");
    assertThat(desired("t@.service")).isEqualTo("inactive");
    assertThat(stored("b.service")).isEqualTo(UNIT);
  }

  @Test
  void oneUnitAloneMayBeNamedByAFlag() {
    assertThat(terminal().reading(UNIT).run("submit", "--name=web", "-").out())
        .isEqualTo("Unit web.service inactive\n");
    assertThat(stored("web.service")).isEqualTo(UNIT);
  }

  /** Otherwise who may write one unit could put another into what somebody else passes on. */
  @Test
  void aLineOfATextThatLooksLikeABeginningIsNone() {
    String text = "[Service]\nExecStart=/bin/echo \\\n## unit: evil.service\n### unit: x\\\n a\n";

    Ran ran = terminal().reading("# unit: a.service\n" + text).run("submit", "-");

    assertThat(ran.out()).isEqualTo("Unit a.service inactive\n");
    assertThat(stored("a.service"))
        .isEqualTo("[Service]\nExecStart=/bin/echo \\\n# unit: evil.service\n## unit: x\\\n a\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '$',
      value = {
        "submit -|$$|standard input is empty",
        "submit -|[Service];|standard input does not say which unit it is: begin each with a line",
        "submit -|[Unit];# unit: a.service|<stdin>:1: the text before the first line",
        "submit -|# unit: web|<stdin>:1: \"web\": unit name must contain \".\"",
        "submit -|# unit: ../a.service|<stdin>:1: \"../a.service\": invalid character '/'",
        "submit -|# unit: a.service;[Unit];# unit: a.service|<stdin>:3: a.service is there already, from line 1",
        "submit -|# unit: a.service;[Service];ExecStart|<stdin>:3: ",
        "submit -|# unit: a.service;# unit: b.service|<stdin>/a.service is empty",
        "submit --name=a - |# unit: b.service;[Unit]|leave --name out",
        "submit --name=a shop/|$$|--name goes with -",
        "submit --name=a/b -|[Unit];A=b|\"a/b.service\": invalid character '/'",
        "submit - one/|# unit: a.service;[Unit];A=b|a.service is there twice: <stdin>/a.service and "
      })
  void aStreamThatCannotBeTakenIsExplained(String command, String stream, String problem)
      throws Exception {
    Files.createDirectories(directory.resolve("one"));
    write("one/a.service", UNIT);

    Ran ran = terminal().reading(stream.replace(';', '\n')).run(command.strip().split(" ", -1));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error creating units: ").contains(problem).hasLineCount(1);
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("PUT"));
  }

  @Test
  void aUnitOfAStreamIsBounded() {
    String text = "# unit: a.service\n" + UNIT + "#" + "x".repeat(UnitFile.MAX_BYTES) + "\n";
    assertThat(terminal().reading(text).run("submit", "-").err())
        .contains("<stdin>/a.service is too long for a unit file");
  }
}
