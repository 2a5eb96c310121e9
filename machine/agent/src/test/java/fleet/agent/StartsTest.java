package fleet.agent;

import static fleet.core.state.DesiredState.LAUNCHED;
import static fleet.core.state.DesiredState.LOADED;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts that take long, are refused, or are cut short. */
class StartsTest extends AgentOnSystemd {

  private static boolean isStarting(UnitState state) {
    return state.systemd().active().equals("activating");
  }

  private ScheduleEntry hanging(String service) throws Exception {
    ScheduleEntry slow =
        launched("slow.service", "[Service]\n" + service.replace("|", "\n") + "\n");
    engine.schedule(List.of(slow));
    engine.awaitState(slow.unit(), StartsTest::isStarting);
    return slow;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Type=oneshot|ExecStart=/bin/sleep 1000",
        "TimeoutStartSec=0|ExecStartPre=/bin/sleep 1000|ExecStart=/bin/sleep 1000",
        "TimeoutStartSec=0|ExecStart=/bin/sleep 1000|ExecStartPost=/bin/sleep 1000",
        "Type=notify|TimeoutStartSec=0|ExecStart=/bin/sleep 1000",
        "Type=forking|TimeoutStartSec=0|ExecStart=/bin/sleep 1000",
      })
  void aStartThatHangsIsEndedByWhateverComesNext(String service) throws Exception {
    ScheduleEntry slow = hanging(service);
    engine.change(slow.withTarget(TargetState.LOADED));
    engine.awaitState(slow.unit(), state -> !isStarting(state) && state.restartCounter() == 0);

    engine.change(launched("slow.service", "[Service]\n" + service.replace("|", "\n"), "i1", 2));
    engine.awaitState(slow.unit(), StartsTest::isStarting);
    String first = shown(slow, "InvocationID");
    engine.change(launched("slow.service", "[Service]\n" + service.replace("|", "\n"), "i1", 3));
    engine.awaitState(
        slow.unit(), state -> isStarting(state) && !state.systemd().invocation().equals(first));

    ScheduleEntry mended = launched("slow.service", SLEEP, "i2", 1);
    engine.change(mended);
    engine.awaitState(slow.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    forget(mended);
  }

  @Test
  void aStartThatHangsIsEndedWhenItsUnitIsToGo() throws Exception {
    ScheduleEntry slow = hanging("Type=oneshot|ExecStart=/bin/sleep 1000");
    forget(slow);
    assertThat(shown(slow, "LoadState")).isEqualTo("not-found");
  }

  @Test
  void soIsOneThatWaitsForAnother() throws Exception {
    ScheduleEntry first =
        launched("first.service", "[Service]\nType=oneshot\nExecStart=/bin/sleep 1000\n");
    ScheduleEntry second = launched("second.service", "[Unit]\nAfter=first.service\n" + SLEEP);
    engine.schedule(List.of(first));
    engine.awaitState(first.unit(), StartsTest::isStarting);
    engine.change(second);
    engine.awaitState(second.unit(), state -> state.performed() == LAUNCHED);

    forget(second);

    assertThat(shown(first, "ActiveState")).isEqualTo("activating");
    forget(first);
  }

  @Test
  void aUnitThatComesBeforeWhatItRequiresIsStartedOnceThatIsThere() throws Exception {
    ScheduleEntry web =
        launched("web.service", "[Unit]\nRequires=cfg.service\nAfter=cfg.service\n" + SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(
        web.unit(), state -> state.restartCounter() == 1 && !state.problem().isEmpty());

    ScheduleEntry cfg = entry("cfg.service", SLEEP, "i1", TargetState.LOADED, 0);
    engine.change(cfg);

    UnitState state = engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(state.problem()).isEmpty();
    forget(web);
    forget(cfg);
  }

  private ScheduleEntry waiting() throws Exception {
    ScheduleEntry web =
        launched("web.service", "[Unit]\nRequires=cfg.service\nAfter=cfg.service\n" + SLEEP);
    engine.schedule(List.of(web));
    UnitState state = engine.awaitState(web.unit(), told -> !told.problem().isEmpty());
    assertThat(state.problem()).startsWith("waits for cfg.service");
    assertThat(state.restartCounter()).isZero();
    return web;
  }

  private void theScheduleChangesAfter(Duration time, ScheduleEntry change) throws Exception {
    this.time.skip(time);
    engine.change(change);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void noFailureIsToldWhileTheScheduleGoesOnChanging() throws Exception {
    ScheduleEntry web = waiting();
    ScheduleEntry other = entry("other.service", SLEEP, "i1", TargetState.LOADED, 0);
    for (int i = 0; i < 5; i++) {
      theScheduleChangesAfter(StartRetries.QUIET.minusSeconds(1), other);
    }

    ScheduleEntry cfg = entry("cfg.service", SLEEP, "i1", TargetState.LOADED, 0);
    engine.change(cfg);

    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(engine.reports(web.unit()))
        .map(report -> ((AgentReport.Stated) report).state())
        .allMatch(state -> state.restartCounter() == 0 || state.problem().isEmpty());
    forget(web);
    forget(cfg);
    forget(other);
  }

  @Test
  void butNotForEver() throws Exception {
    ScheduleEntry web = waiting();
    ScheduleEntry other = entry("other.service", SLEEP, "i1", TargetState.LOADED, 0);
    for (int i = 0; i <= StartRetries.LONGEST.toSeconds() / 4; i++) {
      theScheduleChangesAfter(Duration.ofSeconds(4), other);
    }

    UnitState state = engine.awaitState(web.unit(), told -> told.restartCounter() == 1);

    assertThat(state.problem()).contains("cfg.service not found");
    forget(web);
    forget(other);
  }

  @Test
  void aUnitIsStartedAgainWhenTheAdminInstallsWhatItMissed() throws Exception {
    ScheduleEntry web = launched("web.service", "[Unit]\nRequires=installed.service\n" + SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(
        web.unit(), state -> state.restartCounter() == 1 && !state.problem().isEmpty());

    Path installed = Files.writeString(directory.resolve("installed.service"), SLEEP);
    systemctl("link", "--runtime", installed.toString());
    systemctl("daemon-reload");

    engine.awaitState(web.unit(), state -> isRunning(state) && state.problem().isEmpty());
    forget(web);
    systemctl("stop", "installed.service");
    systemctl("disable", "--runtime", "installed.service");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aUnitWhoseFileSomebodyRemovedIsPutBackAndStarted(boolean linkAsWell) throws Exception {
    ScheduleEntry web = entry("gone.service", SLEEP, "i1", TargetState.LOADED, 0);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.performed() == LOADED);
    Files.delete(directory.resolve("units/gone.service"));
    if (linkAsWell) {
      Files.delete(MANAGER.runtimeDirectory().resolve("systemd/user/gone.service"));
    }
    systemctl("daemon-reload");

    ScheduleEntry again = launched("gone.service", SLEEP, "i1", 1);
    engine.change(again);

    engine.awaitState(web.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    assertThat(engine.reports(web.unit()))
        .allMatch(report -> ((AgentReport.Stated) report).state().problem().isEmpty());
    forget(again);
  }

  @Test
  void aUnitThatRunsAfterAllHasNoProblem() throws Exception {
    ScheduleEntry web = launched("late.service", "[Unit]\nRequires=admins.service\n" + SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.problem().contains("admins.service"));

    Path admins = Files.writeString(directory.resolve("admins.service"), SLEEP);
    systemctl("link", "--runtime", admins.toString());
    systemctl("start", web.unit().value());

    assertThat(engine.awaitState(web.unit(), AgentOnSystemd::isRunning).problem()).isEmpty();
    forget(web);
    systemctl("stop", "admins.service");
    systemctl("disable", "--runtime", "admins.service");
  }

  @ParameterizedTest
  @ValueSource(strings = {"job.timer", "job.socket", "job.path"})
  void soIsWhatStartsAnother(String unit) throws Exception {
    ScheduleEntry trigger =
        launched(
            unit,
            switch (unit) {
              case "job.timer" -> "[Timer]\nOnCalendar=yearly\n";
              case "job.socket" -> "[Socket]\nListenFIFO=" + directory.resolve("f") + "\n";
              default -> "[Path]\nPathExists=" + directory.resolve("none") + "\n";
            });
    engine.schedule(List.of(trigger));
    engine.awaitState(trigger.unit(), state -> state.restartCounter() == 1);

    ScheduleEntry job = entry("job.service", SLEEP, "i1", TargetState.LOADED, 0);
    engine.change(job);

    engine.awaitState(trigger.unit(), state -> isRunning(state) && state.problem().isEmpty());
    forget(trigger);
    forget(job);
  }

  @Test
  void whatIsRefusedForGoodIsSaidOnceAndNotTriedWithEachUnitThatComes() throws Exception {
    ScheduleEntry bad = launched("bad.service", "[Service]\nType=simple\n");
    engine.schedule(List.of(bad));
    engine.awaitState(bad.unit(), state -> state.restartCounter() == 1);
    int told = engine.reports(bad.unit()).size();
    ScheduleEntry web = launched("other.service", SLEEP);
    engine.change(web);
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(engine.reports(bad.unit())).hasSize(told);
    forget(bad);
    forget(web);
  }

  @Test
  void aUnitIsNotStartedBeforeTheOtherThatComesWithIt() throws Exception {
    ScheduleEntry web =
        entry(
            "late.service", "[Unit]\nRequires=soon.service\n" + SLEEP, "i1", TargetState.LOADED, 0);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.performed() == LOADED);

    ScheduleEntry cfg = launched("soon.service", SLEEP);
    engine.change(web.withTarget(TargetState.LAUNCHED), cfg);

    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(engine.reports(web.unit()))
        .allMatch(report -> ((AgentReport.Stated) report).state().problem().isEmpty());
    forget(web);
    forget(cfg);
  }

  @Test
  void aUnitThatFailedTooOftenStartsWhenSomebodyAsks() throws Exception {
    Path file = directory.resolve("mended");
    String text =
        "[Unit]\nStartLimitIntervalSec=1h\nStartLimitBurst=2\n[Service]\nRestart=always\n"
            + "RestartSec=1ms\nExecStartPre=/usr/bin/test -e "
            + file
            + "\nExecStart=/bin/sleep 1000\n";
    ScheduleEntry web = launched("limited.service", text);
    engine.schedule(List.of(web));
    engine.awaitState(
        web.unit(), state -> state.systemd().isFailed() && state.systemd().restarts() > 0);
    Files.createFile(file);

    engine.change(launched("limited.service", text, "i1", 2));

    engine.awaitState(web.unit(), state -> isRunning(state) && state.restartCounter() == 2);
    forget(web);
  }

  // ---- an agent that ends in between

  private Mark markOf(ScheduleEntry entry) throws IOException {
    return new Marks(directory.resolve("marks"), "boot")
        .readAll().current().stream()
            .filter(mark -> mark.unit().equals(entry.unit()))
            .findAny()
            .orElseThrow();
  }

  private void note(Mark mark) throws IOException {
    new Marks(directory.resolve("marks"), "boot").update(mark);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRestartThatAnAgentBeganWithIsMadeOnce(boolean systemdTookIt) throws Exception {
    ScheduleEntry web = launched("cut.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    String first = shown(web, "InvocationID");
    agent.close();
    note(markOf(web).starting(2, first));
    if (systemdTookIt) {
      systemctl("restart", "cut.service");
    }
    String before = shown(web, "InvocationID");

    begin("boot");
    ScheduleEntry again = launched("cut.service", SLEEP, "i1", 2);
    engine.schedule(List.of(again));

    engine.awaitState(web.unit(), state -> isRunning(state) && state.restartCounter() == 2);
    assertThat(shown(web, "InvocationID").equals(before)).isEqualTo(systemdTookIt);
    assertThat(shown(web, "InvocationID")).isNotEqualTo(first);
    forget(again);
  }

  @Test
  void aTargetOfCommentsAloneStarts() throws Exception {
    ScheduleEntry target = launched("empty.target", "# All that belongs together.\n");
    engine.schedule(List.of(target));

    engine.awaitState(target.unit(), AgentOnSystemd::isRunning);
    forget(target);
  }

  // ---- units that systemd makes up

  @Test
  void aSliceComesToWhereAMemberOfItWasFirst() throws Exception {
    ScheduleEntry member = launched("app.service", SLEEP + "Slice=tenant.slice\n");
    engine.schedule(List.of(member));
    engine.awaitState(member.unit(), AgentOnSystemd::isRunning);

    ScheduleEntry slice = launched("tenant.slice", "[Slice]\nTasksMax=50\n");
    engine.change(slice);

    engine.awaitState(slice.unit(), AgentOnSystemd::isRunning);
    assertThat(shown(slice, "TasksMax")).isEqualTo("50");
    forget(member);
    forget(slice);
  }
}
