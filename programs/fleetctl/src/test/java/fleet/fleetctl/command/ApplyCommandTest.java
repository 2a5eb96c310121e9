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
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ApplyCommandTest {

  private static final String OLD = "[Service]\nExecStart=/bin/sleep 1\n";
  private static final String NEW = "[Service]\nExecStart=/bin/sleep 2\n";
  private static final String OWN = "[Service]\nExecStart=/bin/sleep 3\n";
  private static final String FAILS = "[Unit]\nDescription=fail the rollout\n\n" + NEW;

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    Files.createDirectories(directory.resolve("shop"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private void write(String name, String text) throws IOException {
    var _ = Files.writeString(directory.resolve("shop").resolve(name), text);
  }

  private Ran apply(String... options) {
    String[] words = new String[options.length + 2];
    words[0] = "apply";
    System.arraycopy(options, 0, words, 1, options.length);
    words[words.length - 1] = "shop/";
    return terminal().run(words);
  }

  private void expectNothingToDo() {
    Ran again = apply("--dry-run");
    assertThat(again.code()).as(again.out()).isZero();
  }

  private String desired(String unit) {
    return daemon.unit(unit).map(UnitEntity::desiredState).orElse("none");
  }

  private List<String> required(String unit) {
    return daemon.unit(unit).map(UnitEntity::require).orElse(List.of());
  }

  private String stored(String unit) {
    return daemon.unit(unit).map(UnitReader::file).map(UnitFile::render).orElse("none");
  }

  /** The requests that change something, in order. */
  private List<String> changes() {
    return daemon.requests().stream()
        .filter(request -> !request.startsWith("GET"))
        .map(request -> request.replace("/fleet/v1/", ""))
        .toList();
  }

  // ---- what changes

  @Test
  void aUnitThatCannotBeRolledOutIsReplacedAsAWhole() throws Exception {
    daemon.add("db.service", OLD, "launched");
    write("db.service", NEW + "[Unit]\nDescription=not in turns\n");
    Ran ran = apply("--yes");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("Unit db.service is replaced everywhere at once: everywhere (HTTP 409)\n")
        .endsWith("Unit db.service launched on 113f16a7.../10.0.0.3\nApplied 1 unit.\n");
    assertThat(stored("db.service")).contains("not in turns");
    expectNothingToDo();
  }

  @Test
  void otherCommentsRestartNothing() throws Exception {
    daemon.add("db.service", OLD, "launched");
    daemon.add("web.service", OLD, "loaded");
    write("db.service", "# state: launched\n# the database\n" + OLD);
    write("web.service", "# state: launched\n# the site\n" + OLD);

    Ran ran = apply("--yes");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("+# the database\n")
        .contains("db.service   new comments\n", "web.service  loaded, now launched\n")
        .contains("Unit db.service has the comments of its file, and goes on as it is\n");
    assertThat(daemon.unit("db.service").map(UnitEntity::text)).contains("# the database\n" + OLD);
    assertThat(daemon.unit("web.service").map(UnitEntity::text)).contains("# the site\n" + OLD);
    assertThat(desired("db.service")).isEqualTo("launched");
    assertThat(daemon.rolledOut()).isEmpty();
    expectNothingToDo();

    write("db.service", OLD);
    assertThat(apply("--yes").out()).contains("-# the database\n");
    assertThat(daemon.unit("db.service").map(UnitEntity::text)).contains("");
    expectNothingToDo();
  }

  @Test
  void newUnitsComeAndOthersGetTheirContentByARollout() throws Exception {
    daemon.add("db.service", OLD, "launched");
    daemon.add("same.service", OLD, "launched");
    daemon.add("other.service", OLD, "launched");
    write("db.service", NEW);
    write("same.service", OLD);
    write("web.service", NEW);

    Ran ran = apply("--yes");

    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                """
                --- db.service (cluster)
                +++ %1$s/db.service
                @@ -1,2 +1,2 @@
                 [Service]
                -ExecStart=/bin/sleep 1
                +ExecStart=/bin/sleep 2
                --- /dev/null
                +++ %1$s/web.service
                @@ -0,0 +1,2 @@
                +[Service]
                +ExecStart=/bin/sleep 2

                db.service   new content, by a rollout
                web.service  new, launched
                3 units: 1 new, 1 changed, 1 the same
                Unit web.service launched on 113f16a7.../10.0.0.3
                Rollout of db.service has begun.
                Unit db.service has the new content and is active
                Rollout of db.service is done.
                Applied 2 units.
                """
                    .formatted(directory.resolve("shop")),
                ""));
    assertThat(stored("db.service")).isEqualTo(NEW);
    assertThat(desired("web.service")).isEqualTo("launched");
    assertThat(daemon.rolledOut()).containsExactly("db.service");
    expectNothingToDo();
  }

  @Test
  void aDryRunChangesNothingAndSaysWhetherItWould() throws Exception {
    write("web.service", NEW);
    assertThat(apply("--dry-run").code()).isEqualTo(3);
    assertThat(changes()).isEmpty();
    daemon.add("web.service", NEW, "launched");
    assertThat(apply("--dry-run")).isEqualTo(new Ran(0, "1 unit: 1 the same\n", ""));
    assertThat(apply()).isEqualTo(new Ran(0, "1 unit: 1 the same\n", ""));
  }

  @Test
  void nothingChangesUnlessSomebodyAgrees() throws Exception {
    write("web.service", NEW);
    assertThat(apply().err())
        .isEqualTo("Error: this would change 1 unit: add --yes if that is meant\n");
    Ran no = terminal().typing("n\n").run("apply", "shop/");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err()).isEqualTo("Change 1 unit? [y/N] Nothing was changed.\n");
    assertThat(changes()).isEmpty();
    assertThat(terminal().typing("y\n").run("apply", "shop/").code()).isZero();
    assertThat(desired("web.service")).isEqualTo("launched");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '$',
      value = {
        "$$ | $$ | launched",
        "$$ | --state=loaded | loaded",
        "# state: inactive; | $$ | inactive",
        "# state: loaded; | --state=launched | loaded",
        "[X-Fleet];State=loaded; | $$ | loaded",
        "#state:launched;[X-Fleet];State=loaded; | $$ | launched",
        "# state: of the art;[X-Fleet];State=inactive; | $$ | inactive",
        "[X-Fleet];State=loaded;# state: inactive; | $$ | loaded"
      })
  void theStateIsThatOfTheFileOrOfTheFlag(String before, String flag, String state)
      throws Exception {
    write("web.service", before.strip().replace(';', '\n') + NEW);
    Ran ran = flag.isBlank() ? apply("--yes") : apply("--yes", flag.strip());
    assertThat(ran.err()).isEmpty();
    assertThat(desired("web.service")).isEqualTo(state);
    Ran again = flag.isBlank() ? apply("--dry-run") : apply("--dry-run", flag.strip());
    assertThat(again.code()).isZero();
  }

  /** A backup at each deployment is not what its timer is for. */
  @Test
  void whatATimerStartsIsLoaded() throws Exception {
    write("backup.service", NEW);
    write("nightly.timer", "[Timer]\nOnCalendar=daily\nUnit=backup.service\n");
    write("web.service", NEW);
    write("web.path", "[Path]\nPathExists=/a\n");
    Ran ran = apply("--yes");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("Unit nightly.timer goes to the machine of backup.service\n")
        .doesNotContain("is loaded too");
    assertThat(required("nightly.timer")).containsExactly("MachineOf=backup.service");
    assertThat(required("backup.service")).isEmpty();
    expectNothingToDo();
    assertThat(desired("backup.service")).isEqualTo("loaded");
    assertThat(desired("web.service")).isEqualTo("loaded");
    assertThat(desired("nightly.timer")).isEqualTo("launched");
  }

  @Test
  void aDifferenceInTheStateAloneRestartsNothing() throws Exception {
    daemon.add("web.service", NEW, "launched");
    write("web.service", NEW + "\n[X-Fleet]\nState=launched\n");
    expectNothingToDo();
    write("web.service", NEW + "\n[X-Fleet]\nState=loaded\n");
    assertThat(apply("--yes").out())
        .contains("web.service  launched, now loaded, with new content\n1 unit: 1 stopped\n");
    assertThat(stored("web.service")).isEqualTo(NEW + "\n[X-Fleet]\nState=loaded\n");
    expectNothingToDo();
    write("web.service", "# state: loaded\n" + NEW);
    assertThat(apply("--yes").code()).isZero();
    assertThat(stored("web.service")).isEqualTo(NEW);
    assertThat(daemon.rolledOut()).isEmpty();
    expectNothingToDo();
  }

  @Test
  void contentAndStateChangeInOneRun() throws Exception {
    daemon.add("down.service", OLD, "launched");
    daemon.add("up.service", OLD, "loaded");
    daemon.add("off.service", OLD, "loaded");
    write("down.service", "# state: loaded\n" + NEW);
    write("up.service", NEW);
    write("off.service", "# state: inactive\n" + NEW + "\n[X-Fleet]\nState=launched\n");
    Ran ran = apply("--yes");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    for (String unit : List.of("down.service", "up.service", "off.service")) {
      assertThat(stored(unit)).as(unit).startsWith(NEW);
    }
    assertThat(desired("down.service")).isEqualTo("loaded");
    assertThat(desired("up.service")).isEqualTo("launched");
    assertThat(desired("off.service")).isEqualTo("inactive");
    expectNothingToDo();
  }

  // ---- in which order

  @Test
  void unitsAreStoppedLast() throws Exception {
    daemon.add("a-old.service", OLD, "launched");
    daemon.add("web.service", OLD, "launched");
    write("a-old.service", "# state: inactive\n" + OLD);
    write("web.service", NEW);
    write("z-new.service", NEW);
    assertThat(apply("--yes").code()).isZero();
    assertThat(changes())
        .containsExactly(
            "PUT units/z-new.service", "PUT rollouts/web.service", "PUT units/a-old.service");
    assertThat(desired("a-old.service")).isEqualTo("inactive");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rollout", "start", "refused", "earlier"})
  void nothingIsStoppedIfSomethingElseFails(String failure) throws Exception {
    daemon.close();
    daemon =
        new FakeDaemon(
            directory.resolve("fleet.sock"),
            true,
            (fake, unit, desired) -> {
              if (unit.equals("broken.service") && desired.equals("launched")) {
                fake.state(unit, "failed", "failed", "exit-code");
              } else {
                FakeDaemon.obedient(fake, unit, desired);
              }
            });
    daemon.add("old.service", OLD, "launched");
    daemon.add("web.service", OLD, "launched");
    write("old.service", "# state: inactive\n" + OLD);
    switch (failure) {
      case "rollout" -> write("web.service", FAILS);
      case "start" -> write("broken.service", NEW);
      case "refused" -> write("broken.service", "[Unit]\nDescription=refuse me\n\n" + NEW);
      default -> {
        // An interrupted run has asked for it already.
        write("broken.service", NEW);
        daemon.add("broken.service", NEW, "launched");
        daemon.state("broken.service", "failed", "failed", "exit-code");
      }
    }
    Ran ran = apply("--yes");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Not changed, or not as they are to be: ", "old.service");
    assertThat(desired("old.service")).isEqualTo("launched");
    assertThat(stored("web.service")).isEqualTo(OLD);
  }

  // ---- instances

  @Test
  void theRolloutOfATemplateLeavesInstancesWithFilesOfTheirOwnAlone() throws Exception {
    daemon.add("web@.service", OLD, "inactive");
    for (String instance : List.of("1", "2", "4", "5")) {
      daemon.add("web@" + instance + ".service", OLD, "launched");
    }
    write("web@.service", NEW);
    write("web@2.service", OLD);
    write("web@3.service", OWN);
    write("web@4.service", OWN);
    write("web@5.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(stored("web@.service")).isEqualTo(NEW);
    assertThat(stored("web@1.service")).isEqualTo(NEW);
    assertThat(stored("web@2.service")).isEqualTo(OLD);
    assertThat(stored("web@3.service")).isEqualTo(OWN);
    assertThat(stored("web@4.service")).isEqualTo(OWN);
    assertThat(stored("web@5.service")).isEqualTo(NEW);
    // The new one is safe from a fleetd that knows no exceptions.
    assertThat(changes())
        .containsExactly(
            "PUT rollouts/web@.service", "PUT units/web@3.service", "PUT units/web@4.service");
    expectNothingToDo();
  }

  /** As after {@code start web@1}, which stores the instance alone, or a rollout that was ended. */
  @ParameterizedTest
  @ValueSource(strings = {"none", OLD, NEW})
  void instancesGetTheContentOfTheirTemplatesFile(String template) throws Exception {
    if (!template.equals("none")) {
      daemon.add("web@.service", template, "inactive");
    }
    daemon.add("web@1.service", OLD, "launched");
    daemon.add("web@2.service", NEW, "launched");
    daemon.add("web@3.service", OLD, "loaded");
    daemon.add("other@1.service", OLD, "launched");
    write("web@.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("web@1.service  new content, by the rollout of its template\n")
        .contains("web@3.service  new content, by the rollout of its template\n")
        .doesNotContain("web@2.service  ");
    assertThat(stored("web@.service")).isEqualTo(NEW);
    assertThat(stored("web@1.service")).isEqualTo(NEW);
    assertThat(stored("web@3.service")).isEqualTo(NEW);
    assertThat(desired("web@3.service")).isEqualTo("loaded");
    assertThat(stored("other@1.service")).isEqualTo(OLD);
    assertThat(daemon.rolledOut()).containsExactly("web@.service");
    expectNothingToDo();
  }

  /** Each is a global unit of its own, and changes one machine after the other. */
  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void instancesOfAGlobalTemplateFollowByRolloutsOfTheirOwn(String template) throws Exception {
    String global = "\n[X-Fleet]\nGlobal=true\n";
    daemon.add("log@.service", template + global, "inactive");
    daemon.add("log@1.service", OLD + global, "launched");
    daemon.add("log@2.service", OLD + global, "loaded");
    daemon.add("log@3.service", NEW + global, "launched");
    write("log@.service", NEW + global);
    Ran ran = apply("--yes");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("log@1.service  new content, by a rollout\n")
        .contains("log@2.service  new content\n")
        .doesNotContain("log@3.service  ");
    assertThat(stored("log@.service")).isEqualTo(NEW + global);
    assertThat(stored("log@1.service")).isEqualTo(NEW + global);
    assertThat(stored("log@2.service")).isEqualTo(NEW + global);
    assertThat(desired("log@2.service")).isEqualTo("loaded");
    assertThat(daemon.rolledOut()).containsExactly("log@1.service");
    expectNothingToDo();
  }

  /** The plan does not show it, and it would restart. */
  @Test
  void anInstanceThatDiffersInItsStateLineAloneStaysAsItIs() throws Exception {
    String stated = NEW + "\n[X-Fleet]\nState=loaded\n";
    daemon.add("web@.service", OLD, "inactive");
    daemon.add("web@1.service", stated, "launched");
    daemon.add("web@2.service", OLD, "launched");
    write("web@.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("web@2.service").doesNotContain("web@1.service");
    assertThat(stored("web@1.service")).isEqualTo(stated);
    assertThat(stored("web@2.service")).isEqualTo(NEW);
    expectNothingToDo();
  }

  /** It would wait for a unit that comes later. */
  @Test
  void whatNeedsALateInstanceComesWithIt() throws Exception {
    daemon.add("web@.service", OLD, "inactive");
    write("web@.service", NEW);
    write("web@3.service", OWN);
    write("side.service", NEW + "\n[X-Fleet]\nMachineOf=web@3.service\n");
    write("top.service", "[Unit]\nRequires=side.service\n\n" + NEW);
    write("else.service", NEW);
    assertThat(apply("--yes").code()).isZero();
    assertThat(changes())
        .containsExactly("PUT units/else.service", "PUT rollouts/web@.service", "PUT units");
  }

  @Test
  void instancesOfAnUnchangedTemplateAreReplacedOneAfterTheOther() throws Exception {
    for (String instance : List.of("1", "2")) {
      daemon.add("web@" + instance + ".service", OLD, "launched");
      write("web@" + instance + ".service", NEW);
    }
    assertThat(apply("--yes").code()).isZero();
    assertThat(changes()).containsExactly("PUT units/web@1.service", "PUT units/web@2.service");
    assertThat(stored("web@2.service")).isEqualTo(NEW);
    assertThat(daemon.rolledOut()).isEmpty();
  }

  // ---- what is shown

  @Test
  void nothingIsHiddenInWhatIsShown() throws Exception {
    daemon.add("web.service", OLD, "launched");
    write("web.service", "[Service]\nExecStart=/bin/evil #\033[2K\u202e\u200b\n");
    Ran ran = terminal().typing("n\n").run("apply", "shop/");
    assertThat(ran.out())
        .contains("+ExecStart=/bin/evil #\\x1b[2K\\u202e\\u200b\n")
        .doesNotContain("\033", "\u202e");
  }

  @Test
  void aLongListHasAnEnd() throws Exception {
    for (int i : IntStream.rangeClosed(1, 400).toArray()) {
      write("u%03d.service".formatted(i), "[Service]\nExecStart=/bin/sleep %d\n".formatted(i));
    }
    assertThat(apply().out().lines().count()).isLessThan(1200);
    assertThat(apply().out())
        .contains("\n1000 more lines: --dry-run shows them all\n")
        .contains("\n300 more units: --dry-run shows them all\n400 units: 400 new\n");
    assertThat(apply("--dry-run").out()).contains("u400.service  new", "shop/u400.service\n");
  }

  @Test
  void whatIsChangedMeanwhileIsShownFirst() throws Exception {
    daemon.add("web.service", OLD, "launched");
    write("web.service", NEW);
    Terminal terminal = terminal().typing("y\n");
    terminal.beforeAnswer(() -> {
      try {
        daemon.add("web.service", OWN, "launched");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    Ran ran = terminal.run("apply", "shop/");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("somebody has changed one of the units meanwhile");
    assertThat(stored("web.service")).isEqualTo(OWN);
  }

  // ---- without waiting

  @Test
  void withoutWaitingNothingIsStoppedWhileOthersAreOnTheirWay() throws Exception {
    daemon.add("old.service", OLD, "launched");
    write("old.service", "# state: inactive\n" + OLD);
    write("new.service", NEW);
    Ran ran = apply("--yes", "--no-block");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.out()).endsWith("Triggered unit new.service\nApplied 1 unit.\n");
    assertThat(ran.err()).startsWith("Not changed yet: old.service. They wait for the others");
    assertThat(desired("old.service")).isEqualTo("launched");
    assertThat(apply("--yes", "--no-block").code()).isZero();
    assertThat(desired("old.service")).isEqualTo("inactive");
  }

  // ---- where it comes from

  @Test
  void aStreamIsAppliedAsADirectoryIs() {
    String stream = "# unit: a.service\n# state: loaded\n" + NEW + "# unit: b@.service\n" + NEW;
    assertThat(terminal().reading(stream).run("apply", "-").err()).contains("add --yes");
    assertThat(terminal().reading(stream).run("apply", "--yes", "-").code()).isZero();
    assertThat(desired("a.service")).isEqualTo("loaded");
    assertThat(desired("b@.service")).isEqualTo("inactive");
    assertThat(terminal().reading(stream).run("apply", "--dry-run", "-").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "apply|2|No units given",
        "apply --state=up shop/|2|--state is launched, loaded or inactive, not \"up\"",
        "apply --max-unavailable=0 shop/|2|must be at least 1, not 0",
        "apply shop/|1|shop/a.service: the line \"# state: lauched\" names no state: write launched",
        "apply none.service|1|there is no file",
        "apply x/|1|there is no directory x/"
      })
  void aWrongCallIsExplained(String command, int code, String problem) throws Exception {
    write("a.service", "# state: lauched\n" + NEW);
    Ran ran = terminal().run(command.split(" ", -1));
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).contains(problem);
    assertThat(changes()).isEmpty();
  }

  @Test
  void aTextThatMayNotBeReadIsNotReplaced() throws Exception {
    daemon.add("web.service", "", "launched");
    write("web.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("you may not read the text of web.service");
    assertThat(changes()).isEmpty();
  }
}
