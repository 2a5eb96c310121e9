package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Isolation;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitFile;
import fleet.systemd.SystemdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The agent when systemd, the disk, or an earlier agent fails it. */
class AgentFaultsTest extends AgentFaultsFixture {
  /** Somebody removed the link by which systemd had found it. */
  @Test
  void aUnitWhoseFileIsGoneIsStoppedAsEver() throws Exception {
    systemd.state(WEB, RUNNING);
    engine.schedule(List.of(web));
    awaitStarted();
    systemd.knows(WEB, directory.resolve("system/gone/web.service").toString());
    systemd.onStop(() -> {
      systemd.state(WEB, SystemdState.DEAD);
      return FakeSystemd.ended("done");
    });

    engine.schedule(List.of());

    engine.awaitGone(WEB);
    assertThat(systemd.calls()).contains("stop " + WEB);
  }

  private void installed() throws Exception {
    web =
        new ScheduleEntry(
            WEB,
            web.incarnation(),
            UnitFile.parse("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=default.target\n"),
            TargetState.LAUNCHED,
            1,
            false,
            1,
            Overcommit.NONE,
            List.of());
    engine.schedule(List.of(web));
    awaitStarted();
  }

  /** The administrator's file came after fleet's, and systemd has read it. */
  @Test
  void aForeignUnitThatCameLaterIsNotStoppedThoughItHasTheName() throws Exception {
    systemd.state(WEB, RUNNING);
    engine.schedule(List.of(web));
    awaitStarted();
    Path foreign = Files.writeString(directory.resolve("web.service"), "[Service]\n");
    systemd.knows(WEB, foreign.toString());

    engine.schedule(List.of());

    engine.awaitState(WEB, state -> state.problem().contains(foreign.toString()));
    assertThat(systemd.calls()).doesNotContain("stop " + WEB);
    systemd.state(WEB, SystemdState.DEAD);
    time.skip(Duration.ofMinutes(1));
    engine.awaitGone(WEB);
    assertThat(systemd.calls()).doesNotContain("stop " + WEB);
  }

  @Test
  void aPlainUnitComesAndGoesWithoutACallThatMarksAllUnitsAsChanged() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    assertThat(directory.resolve("system/web.service"))
        .isSymbolicLink()
        .hasSameTextualContentAs(directory.resolve("units/web.service"));

    engine.schedule(List.of());
    engine.awaitReport(WEB, AgentReport.Gone.class);

    assertThat(directory.resolve("system")).isEmptyDirectory();
    assertThat(directory.resolve("units")).isEmptyDirectory();
    assertThat(systemd.reloads()).isZero();
  }

  @Test
  void aUnitWithAnInstallSectionComesAndGoesWithAReloadEach() throws Exception {
    installed();
    engine.schedule(List.of());
    engine.awaitReport(WEB, AgentReport.Gone.class);

    assertThat(systemd.reloads()).isEqualTo(2);
    assertThat(directory.resolve("system")).isEmptyDirectory();
  }

  @Test
  void whatWasDisabledBeforeACrashIsStillReloaded() throws Exception {
    installed();
    systemd.onReload(() -> {
      systemd.onReload(() -> {});
      systemd.reachable(false);
      throw new SystemdException("", "fleetd was killed");
    });
    engine.schedule(List.of());
    engine.awaitState(WEB, state -> state.problem().contains("fleetd was killed"));
    assertThat(directory.resolve("marks/web.service")).exists();
    systemd.reachable(true);
    agent.close();
    begin(time::start, Isolation.KEEP);
    engine.schedule(List.of());
    engine.awaitReport(WEB, AgentReport.Gone.class);

    assertThat(systemd.reloads()).isEqualTo(3);
    assertThat(directory.resolve("marks/web.service")).doesNotExist();
    assertThat(directory.resolve("units")).isEmptyDirectory();
  }

  @Test
  void aUnitThatWasRemovedInPartIsPlacedAgainWhereItIsWantedAfterAll() throws Exception {
    installed();
    systemd.onReload(() -> {
      throw new SystemdException("", "systemd did not reload");
    });
    engine.schedule(List.of());
    engine.awaitState(WEB, state -> state.problem().contains("did not reload"));
    systemd.onReload(() -> {});

    engine.schedule(List.of(web));

    engine.awaitState(WEB, state -> state.problem().isEmpty());
    assertThat(directory.resolve("units/web.service")).exists();
    assertThat(directory.resolve("system/web.service")).isSymbolicLink();
  }

  @Test
  void aUnitThatSystemdKeepsInMemoryGoesWithAReload() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    systemd.knows(WEB, directory.resolve("system/web.service").toString());

    engine.schedule(List.of());
    engine.awaitReport(WEB, AgentReport.Gone.class);

    assertThat(systemd.reloads()).isEqualTo(1);
  }

  @Test
  void aUnitThatWasNotFoundBeforeItWasPlacedIsFoundAfterwards() throws Exception {
    systemd.reachable(false);
    engine.schedule(
        List.of(
            new ScheduleEntry(
                WEB,
                web.incarnation(),
                web.file(),
                TargetState.LOADED,
                0,
                false,
                1,
                Overcommit.NONE,
                List.of())));
    engine.awaitState(WEB, state -> state.problem().contains("out of reach"));
    systemd.state(WEB, new SystemdState("not-found", "inactive", "dead", "", "", 0, Instant.EPOCH));
    systemd.reachable(true);
    Objects.requireNonNull(events).reconnected();
    engine.awaitState(WEB, state -> state.systemd().load().equals("not-found"));

    systemd.state(WEB, SystemdState.DEAD);
    time.skip(BackgroundWork.RETRY);

    engine.awaitState(WEB, state -> state.systemd().load().equals("loaded"));
  }

  @Test
  void aFileThatTookTheNameMeanwhileIsLeftAlone() throws Exception {
    Path foreign = Files.createDirectories(directory.resolve("system")).resolve("web.service");
    Files.writeString(foreign, "somebody else's");

    engine.schedule(List.of(web));

    engine.awaitState(WEB, state -> state.problem().contains(foreign + " is there"));
    assertThat(foreign).hasContent("somebody else's");
    Files.delete(foreign);
    awaitStarted();
    assertThat(foreign).isSymbolicLink();
  }

  @Test
  void theLinkOfAnEarlierFleetdIsAdopted() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    Path link = directory.resolve("system/web.service");
    Files.delete(link);
    // LinkUnitFiles, which earlier versions called, makes just this.
    Files.createSymbolicLink(link, directory.resolve("units").toRealPath().resolve("web.service"));

    restartAgent();
    awaitStarted();
    engine.schedule(List.of());
    engine.awaitReport(WEB, AgentReport.Gone.class);

    assertThat(directory.resolve("system")).isEmptyDirectory();
    assertThat(systemd.reloads()).isZero();
  }

  @Test
  void aForeignNameStaysForeignThoughSystemdWasOutOfReach() throws Exception {
    systemd.knows(WEB, "/usr/lib/systemd/system/web.service");
    systemd.reachable(false);
    engine.schedule(List.of(web));
    engine.awaitState(WEB, state -> state.problem().contains("out of reach"));
    systemd.reachable(true);
    time.skip(BackgroundWork.RETRY);
    assertThat(engine.awaitReport(WEB, AgentReport.Refused.class).why()).contains("/usr/lib");
    assertThat(systemd.calls()).isEmpty();
    assertThat(directory.resolve("units/web.service")).doesNotExist();
  }

  @Test
  void whatWasRefusedIsNotTakenByTheNextAgentThoughTheNameIsFreeByThen() throws Exception {
    systemd.knows(WEB, "/usr/lib/systemd/system/web.service");
    engine.schedule(List.of(web));
    engine.awaitReport(WEB, AgentReport.Refused.class);
    systemd.knowsNoLonger(WEB);
    restartAgent();
    AgentReport.Refused again = engine.awaitReport(WEB, AgentReport.Refused.class);
    assertThat(again.revision()).isEqualTo(web.revision());
    assertThat(again.why()).contains("/usr/lib");
    assertThat(systemd.calls()).isEmpty();

    engine.schedule(
        List.of(
            new ScheduleEntry(
                WEB,
                web.incarnation(),
                web.file(),
                TargetState.LAUNCHED,
                1,
                false,
                web.revision() + 1,
                Overcommit.NONE,
                List.of())));
    awaitStarted();
    assertThat(directory.resolve("marks/.refused/web.service")).doesNotExist();
  }

  @Test
  void aGlobalUnitThatWasRefusedIsTakenByTheNextAgent() throws Exception {
    web =
        new ScheduleEntry(
            WEB,
            web.incarnation(),
            web.file(),
            TargetState.LAUNCHED,
            1,
            true,
            1,
            Overcommit.NONE,
            List.of());
    systemd.knows(WEB, "/usr/lib/systemd/system/web.service");
    engine.schedule(List.of(web));
    engine.awaitReport(WEB, AgentReport.Refused.class);
    systemd.knowsNoLonger(WEB);
    restartAgent();
    awaitStarted();
  }

  @Test
  void whatCouldNotBePlacedIsNotStoppedWhenItIsGivenUp() throws Exception {
    systemd.knows(WEB, "/usr/lib/systemd/system/web.service");
    systemd.reachable(false);
    engine.schedule(List.of(web));
    engine.awaitState(WEB, state -> state.problem().contains("out of reach"));
    systemd.reachable(true);
    engine.remove(WEB);
    engine.awaitReport(WEB, AgentReport.Gone.class);
    assertThat(systemd.calls()).isEmpty();
  }
}
