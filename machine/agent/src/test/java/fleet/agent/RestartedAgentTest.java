package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.UnitDirectory;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that comes to a systemd which runs units of an earlier agent. */
class RestartedAgentTest extends AgentOnSystemd {

  @Test
  void aUnitWhoseEntryCannotBeReadIsLeftAlone() throws Exception {
    ScheduleEntry web = launched("unread.service", SLEEP, "i1", 1);
    ScheduleEntry other = launched("read.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    agent.close();
    begin("boot");

    engine.leaveAlone(web.unit());
    engine.schedule(List.of(other));
    engine.awaitState(other.unit(), AgentOnSystemd::isRunning);
    assertThat(systemctl("show", "-P", "ActiveState", "unread.service")).isEqualTo("active");

    engine.leaveAlone();
    engine.change();
    engine.awaitReport(web.unit(), AgentReport.Gone.class);
    forget(other);
  }

  @Test
  void aUnitWhoseEntryCanBeReadAgainGoesOnRunning() throws Exception {
    ScheduleEntry web = launched("mended.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    String started = systemctl("show", "-P", "InvocationID", "mended.service");
    agent.close();
    begin("boot");
    engine.leaveAlone(web.unit());
    engine.schedule(List.of());

    engine.leaveAlone();
    engine.change(web);
    ScheduleEntry after = launched("behind.service", SLEEP, "i1", 1);
    engine.change(after);
    engine.awaitState(after.unit(), AgentOnSystemd::isRunning);

    assertThat(systemctl("show", "-P", "InvocationID", "mended.service")).isEqualTo(started);
    assertThat(engine.reports(web.unit())).noneMatch(AgentReport.Gone.class::isInstance);
    forget(web);
    forget(after);
  }

  @Test
  void aOneshotRunsOncePerStartCommandHoweverOftenTheAgentBegins() throws Exception {
    Path runs = directory.resolve("runs");
    String once = "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo run >> " + runs + "'\n";
    ScheduleEntry migration = launched("migrate.service", once, "i1", 1);
    engine.schedule(List.of(migration));
    engine.awaitState(migration.unit(), s -> s.restartCounter() == 1);
    for (int i = 0; i < 3; i++) {
      agent.close();
      begin("boot");
      engine.schedule(List.of(migration));
      UnitState state = engine.awaitState(migration.unit(), s -> s.restartCounter() == 1);
      assertThat(state.performed()).isEqualTo(DesiredState.LAUNCHED);
    }
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(Files.readAllLines(runs)).hasSize(1);
    engine.change(launched("migrate.service", once, "i1", 2));
    engine.awaitState(migration.unit(), s -> s.restartCounter() == 2);
    assertThat(Files.readAllLines(runs)).hasSize(2);
    forget(migration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[Install]\nWantedBy=default.target\n"})
  void aUnitWhoseFileWasWrittenAndOfWhichSystemdNeverHeardIsPlacedAgain(String install)
      throws Exception {
    ScheduleEntry web = launched("half.service", SLEEP + install, "i1", 1);
    agent.close();
    new UnitDirectory(directory.resolve("units")).write(web.unit(), web.file());
    new Marks(directory.resolve("marks"), "boot").write(Mark.placing(web));
    begin("boot");
    engine.schedule(List.of(web));
    UnitState state = engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(state.problem()).isEmpty();
    assertThat(systemctl("show", "-P", "UnitFileState", "half.service"))
        .isEqualTo(install.isEmpty() ? "linked-runtime" : "enabled-runtime");
    forget(web);
  }

  @Test
  void aRunningUnitThatLostItsFileIsPlacedAgainAndItsStartRemembered() throws Exception {
    ScheduleEntry web = launched("lost.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), s -> isRunning(s) && s.restartCounter() == 1);
    String pid = systemctl("show", "-P", "MainPID", "lost.service");
    agent.close();
    Files.delete(directory.resolve("units/lost.service"));
    begin("boot");
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), s -> isRunning(s) && s.performed() == DesiredState.LAUNCHED);
    assertThat(directory.resolve("units/lost.service")).exists();
    assertThat(Files.readString(directory.resolve("marks/lost.service")))
        .contains("started=1\n", "confirmed=true\n", "complete=true\n");
    assertThat(systemctl("show", "-P", "MainPID", "lost.service")).isEqualTo(pid);
    forget(web);
  }

  @Test
  void aNewAgentFindsUnitsRunningAndKeepsTheirProcesses() throws Exception {
    List<ScheduleEntry> entries =
        IntStream.range(0, 5)
            .mapToObj(i -> launched("keep" + i + ".service", SLEEP, "i1", 1))
            .toList();
    engine.schedule(entries);
    for (ScheduleEntry entry : entries) {
      engine.awaitState(entry.unit(), AgentOnSystemd::isRunning);
    }
    List<String> pids = pids(entries);
    agent.close();
    begin("boot");
    engine.schedule(entries);
    for (ScheduleEntry entry : entries) {
      engine.awaitState(entry.unit(), s -> isRunning(s) && s.restartCounter() == 1);
    }
    assertThat(pids(entries)).isEqualTo(pids);
    engine.schedule(List.of());
    for (ScheduleEntry entry : entries) {
      engine.awaitReport(entry.unit(), AgentReport.Gone.class);
    }
  }

  @Test
  void afterARebootAUnitIsStartedWhenTheScheduleSaysSo() throws Exception {
    ScheduleEntry web = launched("reboot.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    agent.close();
    systemctl("stop", "reboot.service");
    begin("another boot");
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(systemctl("show", "-P", "ActiveState", "reboot.service")).isEqualTo("inactive");
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    forget(web);
  }

  @Test
  void aUnitStoppedWithSystemctlIsReportedAndStaysStopped() throws Exception {
    ScheduleEntry web = launched("manual.service", SLEEP, "i1", 1);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), s -> isRunning(s) && s.restartCounter() == 1);
    systemctl("stop", "manual.service");
    engine.awaitState(web.unit(), s -> s.systemd().active().equals("inactive"));
    agent.close();
    begin("boot");
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), s -> s.restartCounter() == 1);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(systemctl("show", "-P", "ActiveState", "manual.service")).isEqualTo("inactive");
    forget(web);
  }

  private static List<String> pids(List<ScheduleEntry> entries) throws Exception {
    List<String> pids = new ArrayList<>();
    for (ScheduleEntry entry : entries) {
      pids.add(systemctl("show", "-P", "MainPID", entry.unit().value()));
    }
    return pids;
  }
}
