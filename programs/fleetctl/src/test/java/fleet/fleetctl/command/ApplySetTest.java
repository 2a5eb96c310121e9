package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.requirements.Glob;
import fleet.core.unit.UnitFile;
import fleet.entities.EntityJson;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeHttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Units that an apply keeps in a set, and those of the set that have no file any more. */
final class ApplySetTest {

  private static final String OLD = "[Service]\nExecStart=/bin/sleep 1\n";
  private static final String NEW = "[Service]\nExecStart=/bin/sleep 2\n";
  private static final String FAILS = "[Unit]\nDescription=fail the rollout\n\n" + NEW;

  @TempDir Path directory;
  private FakeDaemon daemon;

  /** The act of somebody else just before the first start. */
  private Runnable meanwhile = () -> {};

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, this::obey);
    Files.createDirectories(directory.resolve("shop"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private void obey(FakeDaemon told, String unit, String desired) {
    Runnable act = meanwhile;
    meanwhile = () -> {};
    act.run();
    FakeDaemon.obedient(told, unit, desired);
  }

  private void write(String name, String text) throws IOException {
    var _ = Files.writeString(directory.resolve("shop").resolve(name), text);
  }

  private void addIn(String set, String name, String text, String desired) throws Exception {
    daemon.add(name, text, desired);
    daemon.set(name, set);
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private Ran prune(String option) {
    return terminal().run("apply", "--set=shop", "--prune", option, "shop/");
  }

  private String set(String unit) {
    return daemon.unit(unit).map(UnitEntity::set).orElse("none");
  }

  private List<String> destroyed() {
    return daemon.requests().stream()
        .filter(request -> request.startsWith("DELETE"))
        .map(request -> request.replaceFirst(".*/units/", "").replaceFirst("&.*", ""))
        .toList();
  }

  /** Two directories would give it back and forth. */
  @Test
  void instancesOfAnotherSetKeepTheirContent() throws Exception {
    addIn("shop", "web@.service", OLD, "inactive");
    addIn("shop", "web@1.service", OLD, "launched");
    addIn("mall", "web@2.service", OLD, "launched");
    daemon.add("web@3.service", OLD, "launched");
    write("web@.service", NEW);
    Ran ran = terminal().run("apply", "--yes", "shop/");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("web@1.service", "web@3.service")
        .doesNotContain("web@2.service");
    assertThat(content("web@1.service")).isEqualTo(NEW);
    assertThat(content("web@2.service")).isEqualTo(OLD);
    assertThat(content("web@3.service")).isEqualTo(NEW);
    assertThat(terminal().run("apply", "--dry-run", "shop/").code()).isZero();
  }

  /** A backslash is part of many names, and has a meaning in patterns. */
  @Test
  void theyDoSoWhateverTheirNameIs() throws Exception {
    daemon.scripted(this::answersLikeFleetd);
    addIn("shop", "a\\x2db@.service", OLD, "inactive");
    addIn("shop", "a\\x2db@1.service", OLD, "launched");
    addIn("mall", "a\\x2db@2.service", OLD, "launched");
    write("a\\x2db@.service", NEW);
    Ran ran = terminal().run("apply", "--yes", "shop/");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("a\\x2db@1.service", "2 units: 2 changed");
    assertThat(content("a\\x2db@1.service")).isEqualTo(NEW);
    assertThat(content("a\\x2db@2.service")).isEqualTo(OLD);
  }

  /** Lists only what a pattern asks for. */
  private boolean answersLikeFleetd(FakeHttpServer.Request request, OutputStream out)
      throws IOException {
    String query = URLDecoder.decode(request.query(), StandardCharsets.UTF_8);
    if (!request.method().equals("GET") || !query.startsWith("match=")) {
      return false;
    }
    Glob asked = new Glob(query.replaceFirst("match=", "").replaceFirst("&.*", ""));
    List<UnitEntity> found =
        Stream.of("a\\x2db@1.service", "a\\x2db@2.service")
            .filter(asked::matches)
            .map(name -> daemon.unit(name).orElseThrow())
            .toList();
    byte[] page = new EntityJson().write(new UnitPageEntity("", found));
    return FakeHttpServer.reply(out, 200, new String(page, StandardCharsets.UTF_8));
  }

  /** A colleague has taken it over, or works at it. */
  @Test
  void anInstanceThatChangesWhileTheQuestionIsOpenIsShownFirst() throws Exception {
    addIn("shop", "web@.service", OLD, "inactive");
    addIn("shop", "web@1.service", OLD, "launched");
    addIn("mall", "web@2.service", OLD, "launched");
    write("web@.service", NEW);
    Terminal taken = terminal().typing("y\n");
    taken.beforeAnswer(() -> daemon.set("web@1.service", "mall"));
    Ran ran = taken.run("apply", "shop/");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("somebody has changed one of the units meanwhile");
    assertThat(content("web@1.service")).isEqualTo(OLD);

    addIn("shop", "web@1.service", OLD, "launched");
    Terminal other = terminal().typing("y\n");
    other.beforeAnswer(() -> daemon.state("web@2.service", "failed", "failed", "exit-code"));
    assertThat(other.run("apply", "shop/").code()).as("it is left alone").isZero();
    assertThat(content("web@1.service")).isEqualTo(NEW);
  }

  private String content(String unit) {
    return daemon.unit(unit).map(UnitReader::file).map(UnitFile::text).orElse("none");
  }

  private void expectNothingToDo() {
    Ran again = prune("--dry-run");
    assertThat(again.code()).as(again.out()).isZero();
  }

  @Test
  void unitsComeIntoTheSetAndNothingElseOfThemChanges() throws Exception {
    daemon.add("db.service", OLD, "launched");
    addIn("mall", "log.service", OLD, "launched");
    addIn("mall", "web.service", OLD, "launched");
    write("db.service", OLD);
    write("log.service", "# the log\n" + OLD);
    write("new.service", NEW);
    write("web.service", NEW);

    assertThat(terminal().run("apply", "--set=shop", "--dry-run", "shop/").code()).isEqualTo(3);
    assertThat(set("db.service")).isEmpty();
    Ran ran = terminal().run("apply", "--set=shop", "--yes", "shop/");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains(
            """
            db.service   now in set shop
            log.service  new comments, now in set shop (was in mall)
            new.service  new, launched, in set shop
            web.service  new content, by a rollout, now in set shop (was in mall)
            4 units: 1 new, 3 changed
            """)
        .endsWith("Applied 4 units.\n");
    for (String unit : List.of("db.service", "log.service", "new.service", "web.service")) {
      assertThat(set(unit)).as(unit).isEqualTo("shop");
    }
    assertThat(daemon.unit("db.service").map(UnitEntity::desiredState)).contains("launched");
    assertThat(daemon.unit("log.service").map(UnitEntity::text)).contains("# the log\n" + OLD);
    assertThat(daemon.rolledOut()).containsExactly("web.service");
    expectNothingToDo();
    // Without --set, units stay in their sets.
    assertThat(terminal().run("apply", "shop/").out()).isEqualTo("4 units: 4 the same\n");
  }

  @Test
  void unitsLeaveTheirSetsAndNothingElseOfThemChanges() throws Exception {
    addIn("mall", "log.service", OLD, "launched");
    addIn("shop", "web.service", OLD, "launched");
    daemon.add("db.service", OLD, "launched");
    write("db.service", OLD);
    write("log.service", OLD);
    write("new.service", NEW);
    write("web.service", NEW);
    Ran ran = terminal().run("apply", "--no-set", "--yes", "shop/");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains(
            """
            log.service  now in no set (was in mall)
            new.service  new, launched
            web.service  new content, by a rollout, now in no set (was in shop)
            4 units: 1 new, 2 changed, 1 the same
            """);
    for (String unit : List.of("db.service", "log.service", "new.service", "web.service")) {
      assertThat(set(unit)).as(unit).isEmpty();
    }
    assertThat(terminal().run("apply", "--no-set", "--dry-run", "shop/").code()).isZero();
    for (String with : List.of("--set=shop", "--prune")) {
      Ran both = terminal().run("apply", "--no-set", with, "shop/");
      assertThat(both.code()).isEqualTo(2);
      assertThat(both.err()).startsWith("Error: --no-set goes without --set and --prune\n");
    }
  }

  @Test
  void instancesThatAreDestroyedGetNoNewContentBefore() throws Exception {
    addIn("shop", "a@.service", OLD, "inactive");
    addIn("shop", "a@1.service", OLD, "launched");
    daemon.add("a@2.service", OLD, "launched");
    write("a@.service", NEW);
    Ran ran = prune("--yes");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("a@1.service  destroyed: not in the files\n")
        .contains("a@2.service  new content, by the rollout of its template\n")
        .doesNotContain("a@1.service has the new content")
        .endsWith("Applied 2 units, destroyed 1.\n");
  }

  @Test
  void unitsWithoutAFileAreDestroyedAfterEverythingElseAndTemplatesLast() throws Exception {
    addIn("shop", "a@.service", OLD, "inactive");
    addIn("shop", "a@1.service", OLD, "launched");
    addIn("shop", "db.service", OLD, "launched");
    addIn("mall", "other.service", OLD, "launched");
    daemon.add("single.service", OLD, "launched");
    write("db.service", NEW);

    assertThat(prune("--dry-run").code()).isEqualTo(3);
    assertThat(terminal().run("apply", "--set=shop", "--prune", "shop/").err())
        .isEqualTo(
            "Error: this would change 1 unit and destroy 2 units: add --yes if that is meant\n");
    assertThat(destroyed()).isEmpty();
    Ran ran = prune("--yes");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains(
            """
            db.service   new content, by a rollout
            a@1.service  destroyed: not in the files
            a@.service   destroyed: not in the files
            3 units: 1 changed, 2 destroyed
            """)
        .endsWith("Applied 1 unit, destroyed 2.\n");
    assertThat(destroyed()).containsExactly("a@1.service?set=shop", "a@.service?set=shop");
    assertThat(daemon.unit("a@1.service")).isEmpty();
    assertThat(set("other.service")).isEqualTo("mall");
    assertThat(set("single.service")).isEmpty();
    expectNothingToDo();
  }

  @Test
  void nothingIsDestroyedIfSomethingFailed() throws Exception {
    addIn("shop", "db.service", OLD, "launched");
    addIn("shop", "old.service", OLD, "launched");
    write("db.service", FAILS);
    Ran ran = prune("--yes");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Not applied: db.service, old.service.");
    assertThat(ran.out()).endsWith("Applied 0 units, destroyed 0.\n");
    assertThat(destroyed()).isEmpty();
  }

  @Test
  void aUnitThatSomebodyMovedMeanwhileSurvives() throws Exception {
    addIn("shop", "old.service", OLD, "launched");
    addIn("shop", "older.service", OLD, "launched");
    write("new.service", NEW);
    meanwhile = () -> daemon.set("old.service", "mall");
    Ran ran = prune("--yes");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("Unit old.service is not destroyed: it is in the set mall now\n")
        .endsWith("Applied 1 unit, destroyed 1.\n");
    assertThat(set("old.service")).isEqualTo("mall");
    assertThat(daemon.unit("older.service")).isEmpty();
    expectNothingToDo();
  }

  @Test
  void somebodyIsAskedBeforeUnitsAreDestroyed() throws Exception {
    addIn("shop", "old.service", OLD, "launched");
    addIn("shop", "web.service", OLD, "launched");
    write("web.service", OLD);
    Terminal no = terminal().typing("n\n");
    assertThat(no.run("apply", "--set=shop", "--prune", "shop/").err())
        .isEqualTo("Destroy 1 unit? [y/N] Nothing was changed.\n");
    assertThat(destroyed()).isEmpty();
    Terminal yes = terminal().typing("y\n");
    assertThat(yes.run("apply", "--set=shop", "--prune", "shop/").out())
        .endsWith("Applied 0 units, destroyed 1.\n");
    assertThat(daemon.unit("old.service")).isEmpty();
  }

  @Test
  void aPruneNeedsASetAndASetAName() throws Exception {
    write("web.service", OLD);
    Ran without = terminal().run("apply", "--prune", "--yes", "shop/");
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err()).startsWith("Error: --prune goes with --set NAME: the set to prune\n");
    for (String name : List.of("", "my shop")) {
      Ran invalid = terminal().run("apply", "--set=" + name, "--prune", "--yes", "shop/");
      assertThat(invalid.code()).isEqualTo(2);
      assertThat(invalid.err()).startsWith("Error: set \"" + name + "\": a name has up to 63");
    }
    assertThat(daemon.unit("web.service")).isEmpty();
  }

  @Test
  void aFleetdThatKeepsNoSetsIsTold() throws Exception {
    daemon.withoutSets();
    daemon.add("web.service", OLD, "launched");
    write("web.service", OLD);
    String problem = "is too old to keep sets: upgrade it\n";
    Ran known = prune("--yes");
    assertThat(known.code()).isEqualTo(1);
    assertThat(known.err()).startsWith("Error applying web.service: fleetd at ").contains(problem);

    Files.delete(directory.resolve("shop/web.service"));
    write("new.service", OLD);
    Ran created = prune("--yes");
    assertThat(created.code()).isEqualTo(1);
    assertThat(created.err()).startsWith("Error: fleetd at ").contains(problem);
    assertThat(destroyed()).isEmpty();
  }
}
