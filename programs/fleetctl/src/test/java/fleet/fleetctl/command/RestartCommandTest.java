package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of several units. */
final class RestartCommandTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private @Nullable FakeDaemon daemon;

  /** The restarts that were asked for and not carried out yet. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() throws IOException {
    if (daemon != null) {
      daemon.close();
    }
  }

  private FakeDaemon daemon(FakeDaemon.Machine machine, String... units) throws Exception {
    FakeDaemon made = new FakeDaemon(directory.resolve("fleet.sock"), true, machine);
    daemon = made;
    for (String unit : units) {
      made.add(unit, UNIT, "launched");
    }
    return made;
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  /** Carries out restarts only when this many have been asked for and not carried out. */
  private FakeDaemon.Machine inGroupsOf(int size) {
    return (made, unit, desired) -> {
      asked.add(unit);
      if (asked.size() == size) {
        asked.forEach(one -> made.state(one, "active", "running", "success"));
        asked.clear();
      }
    };
  }

  private static List<String> restarts(FakeDaemon daemon) {
    return daemon.requests().stream()
        .filter(request -> request.endsWith("/restart"))
        .map(request -> request.replaceAll(".*/units/|/restart", ""))
        .toList();
  }

  @Test
  void instancesAreRestartedOneAfterTheOtherInTheirOrder() throws Exception {
    FakeDaemon made = daemon(inGroupsOf(1), "a@1.service", "a@2.service", "a@3.service");

    Ran ran = terminal().run("restart", "a@3", "a@1", "a@2");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(restarts(made)).containsExactly("a@3.service", "a@1.service", "a@2.service");
    assertThat(made.requests().stream().filter(request -> request.contains("/events")))
        .as("each is waited for")
        .hasSizeGreaterThanOrEqualTo(3);
  }

  /** If one were to follow the other, the machine would wait for the second for ever. */
  @Test
  void asManyAsMayBeUnavailableAreRestartedTogether() throws Exception {
    daemon(inGroupsOf(2), "a@1.service", "a@2.service", "a@3.service", "a@4.service");
    assertThat(terminal().run("restart", "--max-unavailable=2", "a@1", "a@2", "a@3", "a@4").code())
        .isZero();
    assertThat(terminal().run("restart", "--max-unavailable=0", "a@1").code()).isEqualTo(2);
  }

  @Test
  void unitsOfDifferentTemplatesDoNotWaitForEachOther() throws Exception {
    daemon(inGroupsOf(3), "a@1.service", "b@1.service", "c.service");
    assertThat(terminal().run("restart", "a@1", "b@1", "c").code()).isZero();
  }

  @Test
  void allAreRestartedAtOnceIfToldSo() throws Exception {
    daemon(inGroupsOf(3), "a@1.service", "a@2.service", "a@3.service");
    assertThat(terminal().run("restart", "--all-at-once", "a@1", "a@2", "a@3").code()).isZero();
    assertThat(terminal().run("restart", "--no-block", "a@1", "a@2"))
        .isEqualTo(
            new Ran(
                0, "Triggered unit a@1.service restart\nTriggered unit a@2.service restart\n", ""));
  }

  @Test
  void theFirstFailureEndsIt() throws Exception {
    FakeDaemon made =
        daemon(
            (d, unit, desired) ->
                d.state(unit, unit.startsWith("a@2") ? "failed" : "active", "sub", "exit-code"),
            "a@1.service",
            "a@2.service",
            "a@3.service",
            "a@4.service");

    Ran ran = terminal().run("restart", "a@1", "a@2", "a@3", "a@4");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(restarts(made)).containsExactly("a@1.service", "a@2.service");
    assertThat(ran.err())
        .startsWith("Error waiting for units: unit a@2.service failed on")
        .endsWith("Not restarted: a@3.service, a@4.service\n");
  }

  @Test
  void aDifferentFileIsNamedWithTheCommandThatReplacesIt() throws Exception {
    daemon(FakeDaemon::obedient, "a.service");
    Terminal terminal = terminal();
    terminal.write("a.service", UNIT + "Restart=always\n");
    assertThat(terminal.run("restart", "a.service").err())
        .isEqualTo(
            "WARNING: Unit a.service in registry differs from local unit file a.service; to replace"
                + " it: fleetctl start --replace\n");
  }
}
