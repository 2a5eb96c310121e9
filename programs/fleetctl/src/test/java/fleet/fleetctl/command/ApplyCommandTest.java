package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.UnitEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ApplyCommandTest extends ApplyFixture {

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
    assertThat(ran.err()).contains("Not applied: ", "old.service");
    assertThat(desired("old.service")).isEqualTo("launched");
    assertThat(stored("web.service")).isEqualTo(OLD);
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
        "apply /none|1|there is no file /none.service; nor is there a directory /none",
        "apply ../none|1|; nor is there a directory ../none",
        "apply /none/web.servce|1|; did you mean /none/web.service?",
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
