package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.isolation.IsolationGuard;
import fleet.agent.mark.Marks;
import fleet.coordination.EventLoop;
import fleet.coordination.PlayedTime;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent when systemd, the disk, or an earlier agent fails it. */
class AgentFaultsTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final String START = "start " + WEB;
  private static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "abc", 0, Instant.EPOCH);

  /** Hours, so that the time that passes meanwhile does not matter. */
  private static final Duration TTL = Duration.ofHours(3);

  private final SkippedTime time = new SkippedTime();
  @TempDir Path directory;
  private FakeSystemd systemd;
  private RecordedCoordination engine;
  private Systemd.@Nullable Listener events;
  private Agent agent;
  private ScheduleEntry web;

  @BeforeEach
  void start() throws Exception {
    systemd = new FakeSystemd(directory.resolve("system"));
    web =
        new ScheduleEntry(
            WEB,
            new Incarnation("i1"),
            UnitFile.parse("[Service]\nExecStart=/bin/true\n"),
            Target.LAUNCHED,
            1,
            false,
            1,
            Overcommit.NONE,
            List.of());
    begin(time::start, Isolation.KEEP);
  }

  private void begin(EventLoop.Starter loops, Isolation isolation) throws IOException {
    engine = new RecordedCoordination();
    agent =
        new Agent(
            new Machine("m1", "boot", "", Map.of(), "test", isolation),
            new AgentSettings(
                directory.resolve("units"),
                directory.resolve("marks"),
                directory.resolve("isolation"),
                Duration.ofHours(1),
                TTL,
                false),
            engine,
            _ -> {
              throw new IllegalStateException("nobody asked");
            },
            listener -> {
              events = listener;
              return systemd;
            },
            _ -> new IdleGuard(),
            loops,
            InstantSource.system());
    agent.start();
  }

  /** Has nothing to stop. */
  private static final class IdleGuard implements IsolationGuard {
    @Override
    public void arm(Duration stop, Duration kill) {}

    @Override
    public boolean hasStopped() {
      return false;
    }

    @Override
    public Set<UnitName> takeStopped() {
      return Set.of();
    }

    @Override
    public void forgetStopped() {}

    @Override
    public void disarm() {}
  }

  /** It stood still for that long right before it asked systemd. */
  @Test
  void aFleetdThatTheClusterGaveUpMeanwhileMakesNoStart() throws Exception {
    agent.close();
    begin(time::start, Isolation.STOP);
    systemd.onStart(() -> {
      systemd.onReload(() -> time.skip(TTL));
      throw new SystemdException("org.freedesktop.systemd1.NoSuchUnit", "not found");
    });
    engine.acknowledge(Duration.ZERO);
    engine.schedule(List.of(web));

    engine.awaitState(WEB, state -> state.problem().contains("has not acknowledged"));

    assertThat(systemd.calls()).containsExactly(START);
    Marks marks = new Marks(directory.resolve("marks"), "boot");
    assertThat(marks.readAll().current().getFirst().started()).isEmpty();
    systemd.onReload(() -> {});
    systemd.onStart(() -> FakeSystemd.ended("done"));
    engine.acknowledge(Duration.ZERO);
    time.skip(BackgroundWork.RETRY);
    awaitStarted();
    assertThat(systemd.calls()).containsExactly(START, START);
  }

  /** Somebody started the other one again while it was being stopped. */
  @Test
  void aUnitStoppedWithOneWhoseStopFailedRunsAgain() throws Exception {
    UnitName head = UnitName.of("head.service");
    ScheduleEntry leader =
        new ScheduleEntry(
            head,
            new Incarnation("i2"),
            web.file(),
            Target.LAUNCHED,
            1,
            false,
            1,
            Overcommit.NONE,
            List.of());
    systemd.state(WEB, RUNNING);
    systemd.state(head, RUNNING);
    systemd.stopsWith(head, WEB);
    engine.schedule(List.of(web, leader));
    awaitStarted();
    systemd.onStop(() -> {
      systemd.state(WEB, SystemdState.DEAD);
      return FakeSystemd.ended("canceled");
    });
    CountDownLatch again = new CountDownLatch(1);
    systemd.onStart(() -> {
      again.countDown();
      return FakeSystemd.ended("done");
    });

    engine.schedule(List.of(web));

    again.await();
    assertThat(systemd.calls()).endsWith("stop " + head, START);
  }

  /** A unit that ended long ago is not to run elsewhere, since this fleetd is a new one. */
  @Test
  void aUnitThatEndedBeforeFleetdCameIsToldToHaveEnded() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    Instant end = Instant.now().minus(Release.REST);
    systemd.state(WEB, new SystemdState("loaded", "inactive", "dead", "success", "abc", 0, end));
    restartAgent();
    engine.awaitState(WEB, state -> state.systemd().since().equals(end));

    agent.release((_, _) -> {});

    assertThat(engine.reports(WEB))
        .noneMatch(report ->
            report instanceof AgentReport.Stated stated && stated.state().restartCounter() == 0);
  }

  @AfterEach
  void close() {
    agent.close();
  }

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

  private void restartAgent() throws IOException {
    agent.close();
    begin(time::start, Isolation.KEEP);
    engine.schedule(List.of(web));
  }

  private void awaitStarted() throws Exception {
    engine.awaitState(WEB, state -> state.restartCounter() == 1);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
  }

  private void installed() throws Exception {
    web =
        new ScheduleEntry(
            WEB,
            web.incarnation(),
            UnitFile.parse("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=default.target\n"),
            Target.LAUNCHED,
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

  /** systemd's refusal and the look at what was missing are two moments. */
  @Test
  void aUnitThatComesJustAfterTheRefusalIsNotMissing() throws Exception {
    var refusals = new AtomicInteger(2);
    systemd.onStart(() -> {
      if (refusals.getAndDecrement() > 0) {
        throw new SystemdException(
            "org.freedesktop.systemd1.NoSuchUnit", "Unit cfg.service not found.");
      }
      systemd.state(WEB, RUNNING);
      return FakeSystemd.ended("done");
    });

    engine.schedule(List.of(web));

    engine.awaitState(WEB, state -> state.systemd().isActive() && state.restartCounter() == 1);
    assertThat(engine.reports(WEB))
        .allMatch(report -> ((AgentReport.Stated) report).state().problem().isEmpty());
  }

  @Test
  void butWhatIsRefusedForTheSameReasonOnceMoreHasFailed() throws Exception {
    systemd.onStart(() -> {
      throw new SystemdException(
          "org.freedesktop.systemd1.NoSuchUnit", "Unit cfg.service not found.");
    });

    engine.schedule(List.of(web));

    awaitStarted();
    assertThat(systemd.calls()).hasSize(4);
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
                Target.LOADED,
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
                Target.LAUNCHED,
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
            Target.LAUNCHED,
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

  @Test
  void aFileThatIsPlacedAgainDoesNotMakeAnotherStart() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    Files.delete(directory.resolve("units/web.service"));
    restartAgent();
    engine.awaitState(WEB, state -> state.performed() == DesiredState.LAUNCHED);
    assertThat(directory.resolve("units/web.service")).exists();
    restartAgent();
    awaitStarted();
    assertThat(systemd.calls()).containsExactly("start web.service");
  }

  @Test
  void aStartThatCannotBeNotedIsNotMadeTwice() throws Exception {
    systemd.onStart(() -> {
      try {
        Files.createDirectory(directory.resolve("marks/.web.service.part"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return FakeSystemd.ended("done");
    });
    engine.schedule(List.of(web));
    awaitStarted();
    assertThat(systemd.calls()).containsExactly("start web.service");
  }

  @Test
  void aStartThatSystemdTookIsNotMadeTwiceWhereTheConnectionBreaksBeforeItsEnd() throws Exception {
    systemd.onStart(
        () -> CompletableFuture.failedFuture(new SystemdException("", "the connection was lost")));
    engine.schedule(List.of(web));
    awaitStarted();
    assertThat(systemd.calls()).containsExactly("start web.service");
    restartAgent();
    awaitStarted();
    assertThat(systemd.calls()).containsExactly("start web.service");
  }

  @Test
  void whatAnEarlierAgentStartedIsSettledOnceAndForAll() throws Exception {
    engine.schedule(List.of(web));
    awaitStarted();
    agent.close();
    Path mark = directory.resolve("marks/web.service");
    Files.writeString(mark, Files.readString(mark).replace("confirmed=true", "confirmed=false"));
    systemd.state(WEB, RUNNING);
    restartAgent();
    awaitStarted();
    systemd.state(WEB, SystemdState.DEAD);
    restartAgent();
    awaitStarted();
    assertThat(systemd.calls()).containsExactly("start web.service");
  }

  @Test
  void aStopThatFailsIsTriedAgainAfterARest() throws Exception {
    agent.close();
    var played = new PlayedTime(0);
    begin(played::start, Isolation.KEEP);
    engine.schedule(List.of(web));
    assertThat(systemd.calls()).containsExactly("start web.service");
    systemd.onStop(() -> FakeSystemd.ended("timeout"));
    engine.remove(WEB);
    assertThat(systemd.calls()).containsExactly("start web.service", "stop web.service");

    systemd.onStop(() -> FakeSystemd.ended("done"));
    played.pass(BackgroundWork.RETRY.minusMillis(1));
    assertThat(systemd.calls()).containsExactly("start web.service", "stop web.service");
    engine.awaitState(WEB, state -> state.problem().contains("timeout"));
    played.pass(Duration.ofMillis(1));
    assertThat(systemd.calls())
        .containsExactly("start web.service", "stop web.service", "stop web.service");
    engine.awaitReport(WEB, AgentReport.Gone.class);
  }
}
