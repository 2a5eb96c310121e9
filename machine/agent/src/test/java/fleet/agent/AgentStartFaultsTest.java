package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Marks;
import fleet.coordination.PlayedTime;
import fleet.core.machine.Isolation;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Starts and stops when systemd, the disk, or an earlier agent let the agent down. */
class AgentStartFaultsTest extends AgentFaultsFixture {
  private static final String START = "start " + WEB;

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
            TargetState.LAUNCHED,
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
