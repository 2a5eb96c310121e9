package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LowerCommandsTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";
  private static final String ON = " on 113f16a7.../10.0.0.3\n";

  @TempDir Path directory;
  private final List<FakeDaemon> daemons = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (FakeDaemon daemon : daemons) {
      daemon.close();
    }
  }

  private FakeDaemon daemon(boolean modern, FakeDaemon.Machine machine) throws IOException {
    FakeDaemon daemon = new FakeDaemon(directory.resolve("fleet.sock"), modern, machine);
    daemons.add(daemon);
    return daemon;
  }

  private Ran run(String... arguments) {
    return new Terminal(directory, directory.resolve("fleet.sock")).run(arguments);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stopsAndSaysSo(boolean modern) throws Exception {
    daemon(modern, FakeDaemon::obedient).add("a.service", UNIT, "launched");

    assertThat(run("stop", "a.service"))
        .isEqualTo(
            new Ran(0, "Unit a.service loaded" + ON, "Successfully stopped units [a.service].\n"));
  }

  @Test
  void stoppingAnUnknownUnitFailsAndStopsTheOthers() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");

    Ran ran = run("stop", "nosuch", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Unit nosuch.service not found in registry\n");
    assertThat(ran.out()).isEqualTo("Unit a.service loaded" + ON);
  }

  /** A pattern is refused as such: it must not read as if a unit were gone. */
  @ParameterizedTest
  @ValueSource(strings = {"stop", "unload", "status", "cat", "why"})
  void aPatternIsNoName(String command) throws Exception {
    daemon(true, FakeDaemon::obedient).add("web@1.service", UNIT, "launched");

    Ran ran = run(command, "web@*");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("Error: \"web@*.service\" is a pattern, and this takes names");
  }

  @Test
  void stoppingASubmittedUnitFails() throws Exception {
    daemon(true, FakeDaemon::obedient).add("a.service", UNIT, "inactive");

    assertThat(run("stop", "a.service"))
        .isEqualTo(new Ran(1, "", "Unable to stop unit a.service in state inactive\n"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unloads(boolean modern) throws Exception {
    daemon(modern, FakeDaemon::obedient).add("a.service", UNIT, "launched");

    assertThat(run("unload", "a.service"))
        .isEqualTo(
            new Ran(0, "Unit a.service inactive\n", "Successfully unloaded units [a.service].\n"));
  }

  @Test
  void unloadWaitsUntilTheProcessHasEnded() throws Exception {
    FakeDaemon daemon =
        daemon(
            true, (d, unit, desired) -> d.state(unit, "deactivating", "stop-sigterm", "success"));
    daemon.add("a.service", UNIT, "launched");

    Ran ran = run("unload", "--block-attempts=1", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("deactivating (stop-sigterm) on 113f16a7.../10.0.0.3")
        .endsWith("Failed to unload units [a.service].\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void destroyWaitsUntilTheMachineHasLetGo(boolean modern) throws Exception {
    FakeDaemon daemon =
        daemon(
            modern,
            (d, unit, desired) ->
                Thread.ofVirtual()
                    .start(() -> {
                      d.awaitRequests("/state", 1);
                      d.gone(unit);
                    }));
    daemon.add("a.service", UNIT, "launched");

    assertThat(run("destroy", "a.service")).isEqualTo(new Ran(0, "Destroyed a.service\n", ""));
    assertThat(daemon.requests()).anyMatch(request -> request.contains("/state"));
  }

  @Test
  void destroyDoesNotWaitWhenToldSo() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> {});
    daemon.add("a.service", UNIT, "launched");

    assertThat(run("destroy", "--no-block", "a.service"))
        .isEqualTo(new Ran(0, "Destroyed a.service\n", ""));
  }

  @Test
  void destroyingWhatIsNotThereIsNoFailure() throws Exception {
    daemon(true, FakeDaemon::obedient);

    assertThat(run("destroy", "nosuch"))
        .isEqualTo(new Ran(0, "", "Units not found in registry: nosuch.service\n"));
  }

  @Test
  void aUnitWhoseValueInTheRegistryIsGarbageCanBeDestroyed() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");
    daemon.damage("a.service");

    assertThat(run("destroy", "a.service")).isEqualTo(new Ran(0, "Destroyed a.service\n", ""));
  }

  @Test
  void loadLeavesARunningUnitRunning() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");

    Ran ran = run("load", "a.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo("Unit a.service is launched and stays so; see: fleetctl stop\n");
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("PUT"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void loads(boolean modern) throws Exception {
    daemon(modern, FakeDaemon::obedient).add("a.service", UNIT, "inactive");

    assertThat(run("load", "a.service")).isEqualTo(new Ran(0, "Unit a.service loaded" + ON, ""));
  }
}
