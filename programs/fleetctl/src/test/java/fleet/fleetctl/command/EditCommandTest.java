package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The editor is a line of shell, whose first argument is the file. */
final class EditCommandTest {

  private static final String OLD = "[Service]\nExecStart=/bin/sleep 1\n";
  private static final String NEW = "[Service]\nExecStart=/bin/sleep 2\n";
  private static final Pattern KEPT = Pattern.compile("What was written is in (\\S+)\n");

  private static final String TO_NEW = "sed -i 's/sleep 1/sleep 2/'";

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws Exception {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    daemon.add("web.service", OLD, "launched");
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Terminal terminal(String editor) {
    return new Terminal(directory, directory.resolve("fleet.sock"))
        .with("EDITOR", editor)
        .with("VISUAL", "");
  }

  private Ran edit(String editor) {
    return terminal(editor).run("edit", "web");
  }

  private String stored(String unit) {
    return daemon.unit(unit).map(UnitReader::file).map(UnitFile::render).orElse("none");
  }

  private String desired(String unit) {
    return daemon.unit(unit).map(UnitEntity::desiredState).orElse("none");
  }

  private List<String> changes() {
    return daemon.requests().stream().filter(request -> !request.startsWith("GET")).toList();
  }

  private static Path kept(Ran ran) {
    Matcher kept = KEPT.matcher(ran.err());
    assertThat(kept.find()).as(ran.err()).isTrue();
    return Path.of(kept.group(1));
  }

  @Test
  void aUnitThatRunsGetsWhatWasWrittenByARollout() {
    Ran ran = edit(TO_NEW);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("-ExecStart=/bin/sleep 1\n+ExecStart=/bin/sleep 2\n");
    assertThat(stored("web.service")).isEqualTo(NEW);
    assertThat(daemon.rolledOut()).containsExactly("web.service");
    assertThat(desired("web.service")).isEqualTo("launched");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "touch", "sed -i 's/sleep 1/sleep 1/'"})
  void withoutAChangeNothingIsDone(String editor) {
    assertThat(edit(editor)).isEqualTo(new Ran(0, "Nothing was changed.\n", ""));
    assertThat(changes()).isEmpty();
  }

  @Test
  void anEditorThatFailsDoesNothing() {
    Ran ran = edit("f() { " + TO_NEW + " \"$1\"; return 3; }; f");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo("Error: the editor ended with exit code 3: nothing was changed\n");
    assertThat(changes()).isEmpty();
  }

  @Test
  void theVisualEditorComesFirst() {
    assertThat(terminal("false").with("VISUAL", TO_NEW).run("edit", "web").code()).isZero();
    assertThat(stored("web.service")).isEqualTo(NEW);
  }

  @Test
  void copiesThatTheEditorLeavesAreNoUnits() {
    Ran ran =
        edit(
            "f() { cp \"$1\" \"$1~\"; echo x >\"$(dirname \"$1\")/.web.service.swp\"; "
                + TO_NEW
                + " \"$1\"; dirname \"$1\" >"
                + directory.resolve("where")
                + "; }; f");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(daemon.unit("web.service~.service")).isEmpty();
    assertThat(directory.resolve("where"))
        .content()
        .satisfies(where -> assertThat(Path.of(where.strip())).doesNotExist());
  }

  // ---- texts that are refused

  @Test
  void aTextThatIsNoUnitFileIsKept() {
    Ran ran = edit("f() { echo nonsense >>\"$1\"; }; f");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("web.service:3: ", "Nothing was changed. What was written is in ");
    assertThat(kept(ran)).hasContent(OLD + "nonsense\n");
    assertThat(changes()).isEmpty();
  }

  @Test
  void itCanBeMendedAtOnce() {
    String twice =
        "f() { if grep -q nonsense \"$1\"; then sed -i '/nonsense/d' \"$1\"; "
            + TO_NEW
            + " \"$1\"; else echo nonsense >>\"$1\"; fi; }; f";
    Ran ran = terminal(twice).typing("y\n").run("edit", "web");
    assertThat(ran.err()).contains("Edit it again? [y/N] ");
    assertThat(ran.code()).isZero();
    assertThat(stored("web.service")).isEqualTo(NEW);
    Ran no = terminal("f() { echo nonsense >>\"$1\"; }; f").typing("n\n").run("edit", "web");
    assertThat(no.code()).isEqualTo(1);
    assertThat(kept(no)).exists();
  }

  @Test
  void aTextThatWasTakenBackIsKept() {
    Ran ran = edit("f() { sed -i '1i [Unit]\\nDescription=fail the rollout' \"$1\"; }; f");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(stored("web.service")).isEqualTo(OLD);
    assertThat(kept(ran)).content().startsWith("[Unit]\nDescription=fail the rollout\n");
  }

  // ---- what others do meanwhile

  /** Waits in the editor until the test has done something. */
  private Ran editWhile(Meanwhile act) throws Exception {
    Path begun = directory.resolve("begun");
    Path done = directory.resolve("done");
    int result = new ProcessBuilder("mkfifo", begun.toString(), done.toString()).start().waitFor();
    assertThat(result).isZero();
    // A thread that opens a pipe holds its processor, so a virtual one could hold up the daemon.
    var other =
        new FutureTask<@Nullable Void>(() -> {
          var _ = Files.readString(begun);
          try {
            act.run();
          } finally {
            // Otherwise the editor would wait for ever.
            Files.writeString(done, "x");
          }
          return null;
        });
    Thread.ofPlatform().daemon().start(other);
    Ran ran =
        edit(
            "f() { echo x >"
                + begun
                + "; cat "
                + done
                + " >/dev/null; "
                + TO_NEW
                + " \"$1\"; }; f");
    Await.until(other::isDone);
    other.get();
    return ran;
  }

  private interface Meanwhile {
    void run() throws Exception;
  }

  @Test
  void aUnitThatSomebodyStoppedStaysStopped() throws Exception {
    Ran ran =
        editWhile(() -> {
          assertThat(
                  new Terminal(directory, directory.resolve("fleet.sock"))
                      .run("stop", "web")
                      .code())
              .isZero();
        });
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(stored("web.service")).isEqualTo(NEW);
    assertThat(desired("web.service")).isEqualTo("loaded");
  }

  @Test
  void aTextThatSomebodyElseChangedIsNotOverwritten() throws Exception {
    Ran ran = editWhile(() -> daemon.add("web.service", OLD + "Nice=1\n", "launched"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("somebody has changed web.service meanwhile: nothing was changed");
    assertThat(stored("web.service")).isEqualTo(OLD + "Nice=1\n");
    assertThat(kept(ran)).hasContent(NEW);
  }

  /** With the same text again, and still another unit. */
  @Test
  void aUnitThatWasReplacedMeanwhileIsAnother() throws Exception {
    Ran ran = editWhile(() -> daemon.add("web.service", OLD, "launched"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(stored("web.service")).isEqualTo(OLD);
  }

  // ---- states

  @Test
  void onlyAStateThatWasWrittenChangesTheState() throws Exception {
    daemon.add("old.service", OLD + "\n[X-Fleet]\nState=inactive\n", "loaded");
    assertThat(terminal(TO_NEW).run("edit", "old").code()).isZero();
    assertThat(desired("old.service")).isEqualTo("loaded");
    assertThat(stored("old.service")).startsWith(NEW);
    assertThat(terminal("sed -i s/inactive/launched/").run("edit", "old").code()).isZero();
    assertThat(desired("old.service")).isEqualTo("launched");
    assertThat(stored("old.service")).contains("State=launched");
  }

  @Test
  void wrongUseIsExplained() {
    assertThat(terminal("true").run("edit").code()).isEqualTo(2);
    assertThat(terminal("true").run("edit", "none").err())
        .isEqualTo("Error: there is no unit none.service\n");
  }
}
