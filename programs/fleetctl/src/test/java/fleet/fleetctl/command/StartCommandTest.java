package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.ReschedulingEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StartCommandTest {

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

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  /** Runs something as soon as the commands wait on events. */
  private static void onceFollowed(FakeDaemon daemon, Runnable action) {
    onceAsked(daemon, "/events", action);
  }

  private static void onceAsked(FakeDaemon daemon, String resource, Runnable action) {
    Thread.ofVirtual()
        .start(() -> {
          daemon.awaitRequests(resource, 1);
          action.run();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void startsANewUnitAndWaitsUntilItIsActive(boolean modern) throws Exception {
    daemon(modern, FakeDaemon::obedient);
    Terminal terminal = terminal();
    terminal.write("a.service", UNIT);

    Ran ran = terminal.run("start", "a.service");

    assertThat(ran)
        .isEqualTo(new Ran(0, "Unit a.service inactive\nUnit a.service launched" + ON, ""));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void saysNothingOfAUnitThatRunsAlready(boolean modern) throws Exception {
    FakeDaemon daemon = daemon(modern, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");

    assertThat(terminal().run("start", "a")).isEqualTo(new Ran(0, "", ""));
  }

  @Test
  void waitsThroughActivatingForAsLongAsItTakes() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "activating", "start-pre", "success", 0));
    daemon.add("a.service", UNIT, "inactive");
    onceFollowed(daemon, () -> daemon.state("a.service", "active", "running", "success"));

    Ran ran = terminal().run("start", "a.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEqualTo("Unit a.service launched" + ON);
  }

  @Test
  void failsWithTheResultAndTheLastLinesOfTheJournal() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "failed", "failed", "exit-code"));
    daemon.add("a.service", UNIT, "inactive");
    daemon.journal("first line\nlast line\n");

    Ran ran = terminal().run("start", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEqualTo("Unit a.service launched" + ON);
    assertThat(ran.err())
        .isEqualTo(
            "Error waiting for units: unit a.service failed on 113f16a7.../10.0.0.3"
                + " (result exit-code)\n  first line\n  last line\n");
  }

  @Test
  void saysOnceWhatTheJournalSaysAgainAndAgain() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "failed", "failed", "exit-code"));
    daemon.add("a.service", UNIT, "inactive");
    StringBuilder journal = new StringBuilder("Nov 25 20:00:00 node systemd[1]: the reason\n");
    for (int i = 0; i < 20; i++) {
      journal.append("Nov 25 20:00:%02d node systemd[1]: bad setting\n".formatted(i));
    }
    daemon.journal(journal.toString());

    assertThat(terminal().run("start", "a.service").err())
        .endsWith(
            "\n  Nov 25 20:00:00 node systemd[1]: the reason"
                + "\n  Nov 25 20:00:19 node systemd[1]: bad setting (20 times)\n");
  }

  @Test
  void takesTheGoodEndOfAOneshotForSuccess() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "inactive", "dead", "success"));
    daemon.add("migrate.service", UNIT, "inactive");

    Ran ran = terminal().run("start", "migrate.service");

    assertThat(ran).isEqualTo(new Ran(0, "Unit migrate.service launched" + ON, ""));
  }

  @Test
  void takesTheGoodEndOfAOneshotForSuccessAlsoOnFleet1() throws Exception {
    FakeDaemon daemon =
        daemon(false, (d, unit, desired) -> d.state(unit, "inactive", "dead", "success"));
    daemon.add("migrate.service", UNIT, "inactive");

    assertThat(terminal().run("start", "migrate.service").code()).isZero();
  }

  @Test
  void startsALaunchedUnitThatHasEndedAgain() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");
    daemon.state("a.service", "failed", "failed", "exit-code");

    Ran ran = terminal().run("start", "a.service");

    assertThat(ran).isEqualTo(new Ran(0, "Unit a.service launched" + ON, ""));
    assertThat(daemon.requests()).contains("POST /fleet/v1/units/a.service/start");
  }

  @Test
  void asksForAnotherStartOfALaunchedUnitThatNoMachineReports() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> {});
    daemon.add("a.service", UNIT, "launched");
    daemon.gone("a.service");

    Ran ran = terminal().run("start", "--no-block", "a.service");

    assertThat(ran).isEqualTo(new Ran(0, "Triggered unit a.service start\n", ""));
    assertThat(daemon.requests()).contains("POST /fleet/v1/units/a.service/start");
  }

  @Test
  void saysWhyAUnitHasNoPlaceAndGivesUpAfterTheAttempts() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> d.waits(unit, "no machine fits", false));
    daemon.add("a.service", UNIT, "inactive");

    Ran ran = terminal().showingProgress().run("start", "--block-attempts=2", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("a.service: waiting for a place: no machine fits\n")
        .endsWith(
            "Error waiting for units: timed out waiting for unit a.service to report state"
                + " launched (waiting for a place: no machine fits)\n");
  }

  @Test
  void doesNotWaitWhereWaitingDoesNotHelp() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.waits(unit, "systemd knows it from /etc", true));
    daemon.add("a.service", UNIT, "inactive");

    Ran ran = terminal().run("start", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("systemd knows it from /etc");
  }

  @Test
  void goesOnWaitingWhileTheDaemonIsRestarted() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> {});
    daemon.add("a.service", UNIT, "inactive");
    onceAsked(
        daemon,
        "/state?",
        () -> {
          try {
            daemon.restart();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          daemon.awaitRequests("/events", 2);
          daemon.state("a.service", "active", "running", "success");
        });

    assertThat(terminal().run("start", "a.service").code()).isZero();
  }

  @Test
  void doesNotWaitWhenToldSo() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> {});
    daemon.add("a.service", UNIT, "inactive");

    assertThat(terminal().run("start", "--no-block", "a.service"))
        .isEqualTo(new Ran(0, "Triggered unit a.service start\n", ""));
  }

  private static final String GLOBAL = UNIT + "\n[X-Fleet]\nGlobal=true\n";
  private static final String TRIGGERED = "Triggered global unit g.service start\n";

  @Test
  void waitsForAGlobalUnitOnItsMachines() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "activating", "start-pre", "success", 0));
    Terminal terminal = terminal();
    terminal.write("g.service", GLOBAL);
    onceFollowed(daemon, () -> daemon.state("g.service", "active", "running", "success"));

    Ran ran = terminal.run("start", "g.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).as("as fleet 1.0").isEqualTo("Unit g.service inactive\n" + TRIGGERED);
    assertThat(ran.err()).endsWith("Unit g.service is launched on the one machine that it fits\n");
  }

  @Test
  void aGlobalUnitThatFailsOnAMachineFailsWithItsJournal() throws Exception {
    FakeDaemon daemon =
        daemon(true, (d, unit, desired) -> d.state(unit, "failed", "failed", "exit-code"));
    daemon.add("g.service", GLOBAL, "inactive");
    daemon.journal("no such option\n");

    assertThat(terminal().run("start", "g.service"))
        .isEqualTo(
            new Ran(
                1,
                TRIGGERED,
                "Error waiting for units: unit g.service failed on 113f16a7.../10.0.0.3"
                    + " (result exit-code)\n  no such option\n"));
  }

  @Test
  void aMachineThatGoesIsNotWaitedForAndTheAbsentOnesAreNamed() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("g.service", GLOBAL, "inactive");
    daemon.add("h.service", GLOBAL, "inactive");
    daemon.runsOn(FakeDaemon.MACHINE, "9c1e02d4b2c34d5e8f90a1b2c3d4e5f6");
    daemon.absent(
        new ReschedulingEntity(
            Stream.concat(
                    Stream.of(AbsentMachineEntity.of("cordoned", "cordoned", 0)),
                    IntStream.range(1, 12)
                        .mapToObj(i -> AbsentMachineEntity.of("m" + i, "awaited", 1)))
                .toList(),
            null));
    onceAsked(
        daemon,
        "/state?unitName=h.service",
        () -> {
          daemon.runsOn(FakeDaemon.MACHINE);
          daemon.gone("g.service");
          daemon.gone("h.service");
          daemon.state("g.service", "active", "running", "success");
          daemon.state("h.service", "active", "running", "success");
        });

    Ran ran = terminal().run("start", "g.service", "h.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .contains("Unit g.service is launched on the one machine", "Unit h.service is launched")
        .endsWith(
            "Not waited for, as they are absent: m1, m2, m3, m4, m5, m6, m7, m8 and 3 more\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void doesNotWaitForGlobalUnitsWhenToldSoOrOnFleet1(boolean modern) throws Exception {
    daemon(modern, FakeDaemon::obedient);
    Terminal terminal = terminal();
    terminal.write("g.service", GLOBAL);

    Ran ran =
        modern ? terminal.run("start", "--no-block", "g.service") : terminal.run("start", "g");

    assertThat(ran).isEqualTo(new Ran(0, "Unit g.service inactive\n" + TRIGGERED, ""));
  }

  @Test
  void tellsWhenSomebodyElseStopsTheUnitMeanwhile() throws Exception {
    FakeDaemon daemon = daemon(true, (d, unit, desired) -> {});
    daemon.add("a.service", UNIT, "inactive");
    onceFollowed(daemon, () -> terminal().run("unload", "--no-block", "a.service"));

    Ran ran = terminal().run("start", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("unit a.service got the desired state inactive meanwhile by user root");
  }

  @Test
  void keepsTheOrderOfManyUnits() throws Exception {
    daemon(true, FakeDaemon::obedient);
    Terminal terminal = terminal();
    terminal.write("web@.service", UNIT);
    List<String> arguments = new ArrayList<>(List.of("start"));
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      arguments.add("web@" + i + ".service");
      expected.append("Unit web@").append(i).append(".service inactive\n");
    }
    for (int i = 0; i < 300; i++) {
      expected.append("Unit web@").append(i).append(".service launched").append(ON);
    }

    Ran ran = terminal.run(arguments.toArray(new String[0]));

    assertThat(ran).isEqualTo(new Ran(0, expected.toString(), ""));
  }

  @Test
  void restartsForReal() throws Exception {
    FakeDaemon daemon =
        daemon(
            true,
            (d, unit, desired) ->
                // The old process is still there, as of the start before.
                d.state(unit, "active", "running", "success", 1));
    daemon.add("a.service", UNIT, "launched");
    onceFollowed(daemon, () -> daemon.state("a.service", "active", "running", "success", 2));

    Ran ran = terminal().run("restart", "a.service");

    assertThat(ran).isEqualTo(new Ran(0, "Unit a.service launched" + ON, ""));
    assertThat(daemon.requests()).contains("POST /fleet/v1/units/a.service/restart");
  }

  @Test
  void restartsOnFleet1ByAStopAndAStart() throws Exception {
    FakeDaemon daemon = daemon(false, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "launched");

    Ran ran = terminal().run("restart", "a.service");

    assertThat(ran.code()).isZero();
    assertThat(daemon.requests().stream().filter(r -> r.startsWith("PUT"))).hasSize(2);
  }

  @Test
  void doesNotRestartWhatIsOnlySubmitted() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    daemon.add("a.service", UNIT, "inactive");

    Ran ran = terminal().run("restart", "a.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Unable to restart unit a.service in state inactive");
  }

  @Test
  void refusesTemplatesBeforeAnythingIsDone() throws Exception {
    FakeDaemon daemon = daemon(true, FakeDaemon::obedient);
    Terminal terminal = terminal();
    terminal.write("web@.service", UNIT);

    Ran ran = terminal.run("start", "web@.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            "Error starting units: cannot activate template \"web@.service\": name an instance,"
                + " such as web@1.service\n");
    assertThat(daemon.requests()).isEmpty();
  }
}
