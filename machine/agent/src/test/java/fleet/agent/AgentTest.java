package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent above a real systemd. */
class AgentTest extends AgentOnSystemd {

  @Test
  void aLaunchedUnitRunsAndItsStateIsReported() throws Exception {
    ScheduleEntry web = launched("run.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    UnitState state = engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(state.hash()).isEqualTo(web.file().hash());
    assertThat(state.performed()).isEqualTo(DesiredState.LAUNCHED);
    assertThat(systemctl("show", "-P", "ActiveState", "run.service")).isEqualTo("active");
    forget(web);
  }

  @Test
  void aLoadedUnitIsKnownToSystemdAndNotStarted() throws Exception {
    ScheduleEntry web = entry("load.service", SLEEP, "i1", TargetState.LOADED, 0);
    engine.schedule(List.of(web));
    UnitState state = engine.awaitState(web.unit(), s -> s.performed() == DesiredState.LOADED);
    assertThat(state.systemd().active()).isEqualTo("inactive");
    assertThat(systemctl("show", "-P", "LoadState", "load.service")).isEqualTo("loaded");
    forget(web);
  }

  @Test
  void aStoppedUnitStaysLoaded() throws Exception {
    ScheduleEntry web = launched("stop.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    engine.change(web.withTarget(TargetState.LOADED));
    engine.awaitState(
        web.unit(),
        s -> s.performed() == DesiredState.LOADED && s.systemd().active().equals("inactive"));
    forget(web);
  }

  @ParameterizedTest
  @CsvSource({
    "/bin/true, inactive, true",
    "/bin/false, failed, false",
    "/bin/sleep 1000, activating, false",
  })
  void aUnitThatIsToldToStopSaysWhetherItHadEndedByItself(
      String command, String active, boolean ended) throws Exception {
    ScheduleEntry job = oneshot("job.service", command);
    engine.schedule(List.of(job));
    engine.awaitState(
        job.unit(),
        state ->
            state.systemd().active().equals(active)
                && (state.restartCounter() == 1 || active.equals("activating")));

    ScheduleEntry stopping = job.withTarget(TargetState.STOPPING);
    engine.change(stopping);

    assertThat(engine.awaitStopped(stopping).ended()).isEqualTo(ended);
    forget(job);
  }

  @Test
  void theEndOfAnEarlierStartIsNoEndOfTheOneThatWasAskedFor() throws Exception {
    ScheduleEntry job = oneshot("again.service", "/bin/true");
    engine.schedule(List.of(job));
    engine.awaitState(job.unit(), state -> state.restartCounter() == 1);

    ScheduleEntry stopping =
        launched("again.service", text("/bin/true"), "i1", 2).withTarget(TargetState.STOPPING);
    engine.change(stopping);

    assertThat(engine.awaitStopped(stopping).ended()).isFalse();
    forget(job);
  }

  private static ScheduleEntry oneshot(String unit, String command) {
    return launched(unit, text(command));
  }

  private static String text(String command) {
    return "[Service]\nType=oneshot\nExecStart=" + command + "\n";
  }

  @Test
  void aRemovedUnitLeavesNothingBehind() throws Exception {
    ScheduleEntry web = launched("gone.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    forget(web);
    assertThat(systemctl("show", "-P", "ActiveState", "gone.service")).isEqualTo("inactive");
    assertThat(systemctl("show", "-P", "LoadState", "gone.service")).isEqualTo("not-found");
    assertThat(directory.resolve("units/gone.service")).doesNotExist();
    assertThat(directory.resolve("marks/gone.service")).doesNotExist();
  }

  @Test
  void anotherContentWaitsForTheEndOfTheFirst() throws Exception {
    ScheduleEntry first = launched("swap.service", SLEEP, "i1", 1);
    engine.schedule(List.of(first));
    engine.awaitState(first.unit(), AgentOnSystemd::isRunning);
    ScheduleEntry second =
        launched("swap.service", "[Service]\nExecStart=/bin/sleep 2000\n", "i2", 1);
    engine.change(second);
    engine.awaitState(
        second.unit(), s -> s.incarnation().equals(second.incarnation()) && isRunning(s));
    assertThat(systemctl("show", "-P", "ExecStart", "swap.service")).contains("sleep 2000");
    forget(second);
  }

  @Test
  void anotherStartCommandMakesAnotherProcess() throws Exception {
    ScheduleEntry web = launched("again.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    String pid = systemctl("show", "-P", "MainPID", "again.service");
    engine.change(launched("again.service", SLEEP, "i1", 2));
    engine.awaitState(web.unit(), s -> s.restartCounter() == 2 && isRunning(s));
    assertThat(systemctl("show", "-P", "MainPID", "again.service")).isNotEqualTo(pid);
    forget(web);
  }

  @Test
  void aFailedUnitIsReportedAndLeftAlone() throws Exception {
    ScheduleEntry bad = launched("bad.service", "[Service]\nExecStart=/bin/false\n", "i1", 1);
    engine.schedule(List.of(bad));
    UnitState state =
        engine.awaitState(bad.unit(), s -> s.systemd().isFailed() && s.restartCounter() == 1);
    assertThat(state.systemd().result()).isEqualTo("exit-code");
    engine.change(bad);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(systemctl("show", "-P", "ActiveState", "bad.service")).isEqualTo("failed");
    forget(bad);
  }

  @Test
  void aFileThatSystemdRejectsIsAProblemAndNotTriedForEver() throws Exception {
    ScheduleEntry bad = launched("wrong.service", "[Service]\nType=simple\n", "i1", 1);
    engine.schedule(List.of(bad));
    UnitState state = engine.awaitState(bad.unit(), s -> !s.problem().isEmpty());
    assertThat(state.problem()).contains("systemd does not start it");
    engine.awaitState(bad.unit(), s -> s.restartCounter() == 1);
    forget(bad);
  }

  @Test
  void aUnitWhoseFileCannotBeWrittenSaysWhyAndIsTriedAgain() throws Exception {
    Path units = directory.resolve("units");
    Files.delete(units);
    Files.writeString(units, "in the way");
    ScheduleEntry web = launched("full.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    UnitState state = engine.awaitState(web.unit(), s -> !s.problem().isEmpty());
    assertThat(state.problem()).contains(units.resolve("full.service").toString());
    Files.delete(units);
    Files.createDirectory(units);
    time.skip(BackgroundWork.RETRY);
    engine.awaitState(web.unit(), s -> isRunning(s) && s.problem().isEmpty());
    forget(web);
  }

  @Test
  void aNameThatSystemdKnowsFromElsewhereIsRefusedWithItsPath() throws Exception {
    Path foreign = MANAGER.runtimeDirectory().resolve("systemd/user/foreign.service");
    Files.createDirectories(foreign.getParent());
    Files.writeString(foreign, SLEEP);
    ScheduleEntry web = launched("foreign.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    assertThat(engine.awaitReport(web.unit(), AgentReport.Refused.class).why())
        .contains(foreign.toString());
    assertThat(Files.readString(foreign)).isEqualTo(SLEEP);
    assertThat(systemctl("show", "-P", "ActiveState", "foreign.service")).isEqualTo("inactive");
    Files.delete(foreign);
    engine.schedule(List.of());
    time.skip(PlacementBatches.REFUSED_NAMES);
    engine.awaitReport(web.unit(), AgentReport.Freed.class);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    forget(web);
  }

  @Test
  void aUnitWhoseInstallSectionNamesNoUnitSaysSoAndCanBeRemoved() throws Exception {
    ScheduleEntry web =
        launched("wanted.service", SLEEP + "[Install]\nWantedBy=nothing\n", "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.problem().contains("WantedBy=nothing"));
    forget(web);
    assertThat(shown(web, "LoadState")).isEqualTo("not-found");
  }

  @Test
  void whatAlsoNamesIsNotTouched() throws Exception {
    Path admins = MANAGER.writeForeign("admin.service", SLEEP + "[Install]\nWantedBy=a.target\n");
    systemctl("enable", "admin.service");
    ScheduleEntry socket =
        launched("web.socket", "[Socket]\nListenStream=" + directory.resolve("w") + "\n", "i1", 1);
    ScheduleEntry web =
        entry(
            "web.service",
            SLEEP + "[Install]\nWantedBy=default.target\nAlso=web.socket admin.service\n",
            "i1",
            TargetState.LOADED,
            0);
    engine.schedule(List.of(socket, web));
    engine.awaitState(socket.unit(), AgentOnSystemd::isRunning);
    assertThat(shown(web, "UnitFileState")).isEqualTo("enabled-runtime");

    forget(web);

    assertThat(shown(socket, "LoadState")).isEqualTo("loaded");
    assertThat(systemctl("is-enabled", "admin.service")).isEqualTo("enabled");
    forget(socket);
    systemctl("disable", "admin.service");
    Files.delete(admins);
  }

  @Test
  void aServiceThatItsSocketStartsAgainIsNotLeftBehind() throws Exception {
    Path fifo = directory.resolve("called");
    ScheduleEntry service =
        entry(
            "called.service",
            "[Service]\nExecStart=/bin/sleep 1000\nStandardInput=socket\n",
            "i1",
            TargetState.LOADED,
            0);
    ScheduleEntry socket =
        launched("called.socket", "[Socket]\nListenFIFO=" + fifo + "\n", "i1", 1);
    engine.schedule(List.of(service, socket));
    engine.awaitState(socket.unit(), s -> isRunning(s) && s.restartCounter() == 1);
    // Nobody reads what is written, so the socket starts the service as often as it ends.
    Files.writeString(fifo, "hello\n", StandardOpenOption.WRITE);
    engine.awaitState(service.unit(), AgentOnSystemd::isRunning);
    engine.remove(service.unit());
    engine.remove(socket.unit());
    engine.awaitReport(service.unit(), AgentReport.Gone.class);
    engine.awaitReport(socket.unit(), AgentReport.Gone.class);
    assertThat(systemctl("show", "-P", "ActiveState", "called.service")).isEqualTo("inactive");
  }

  @Test
  void everyTypeOfUnitIsRun() throws Exception {
    List<ScheduleEntry> entries = new ArrayList<>();
    entries.add(launched("kind.service", SLEEP, "i1", 1));
    entries.add(
        launched(
            "kind.socket",
            "[Socket]\nService=kind2.service\nListenStream=" + directory.resolve("s") + "\n",
            "i1",
            1));
    entries.add(launched("kind.timer", "[Timer]\nOnCalendar=yearly\n", "i1", 1));
    entries.add(
        launched("kind.path", "[Path]\nPathExists=" + directory.resolve("p") + "\n", "i1", 1));
    entries.add(launched("kind.target", "[Unit]\nDescription=a target\n", "i1", 1));
    entries.add(launched("kind.slice", "[Slice]\nCPUWeight=100\n", "i1", 1));
    List<ScheduleEntry> all = new ArrayList<>(entries);
    all.add(entry("kind2.service", SLEEP, "i1", TargetState.LOADED, 0));
    engine.schedule(all);
    for (ScheduleEntry entry : entries) {
      engine.awaitState(entry.unit(), s -> s.systemd().isActive() && s.restartCounter() == 1);
    }
    engine.schedule(List.of());
    for (ScheduleEntry entry : all) {
      engine.awaitReport(entry.unit(), AgentReport.Gone.class);
    }
  }

  @Test
  void aStartThatFailsWithoutAFailedUnitIsAProblem() throws Exception {
    ScheduleEntry service = launched("busy.service", SLEEP, "i1", 1);
    engine.schedule(List.of(service));
    engine.awaitState(service.unit(), AgentOnSystemd::isRunning);
    // systemd refuses a socket whose service runs without it.
    ScheduleEntry socket =
        launched("busy.socket", "[Socket]\nListenStream=" + directory.resolve("b") + "\n", "i1", 1);
    engine.change(socket);
    UnitState state = engine.awaitState(socket.unit(), s -> s.restartCounter() == 1);
    assertThat(state.systemd().active()).isEqualTo("inactive");
    assertThat(state.problem()).contains("fleetctl status busy.socket");
    forget(socket);
    forget(service);
  }

  @Test
  void manyUnitsStartAsOneBatch() throws Exception {
    List<ScheduleEntry> entries =
        IntStream.range(0, 100)
            .mapToObj(i -> launched("many" + i + ".service", SLEEP, "i1", 1))
            .toList();
    engine.schedule(entries);
    for (ScheduleEntry entry : entries) {
      engine.awaitState(entry.unit(), s -> isRunning(s) && s.restartCounter() == 1);
    }
    engine.schedule(List.of());
    for (ScheduleEntry entry : entries) {
      engine.awaitReport(entry.unit(), AgentReport.Gone.class);
    }
  }
}
