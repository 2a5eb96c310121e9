package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.isolation.IsolationGuard;
import fleet.coordination.EventLoop;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.SystemdState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The parts that {@link AgentFaultsTest} and {@link AgentStartFaultsTest} share. */
abstract class AgentFaultsFixture {
  static final UnitName WEB = UnitName.of("web.service");

  static final SystemdState RUNNING =
      new SystemdState("loaded", "active", "running", "success", "abc", 0, Instant.EPOCH);

  /** Hours, so that the time that passes meanwhile does not matter. */
  static final Duration TTL = Duration.ofHours(3);

  final SkippedTime time = new SkippedTime();

  private final WorkBesideLoops work = new WorkBesideLoops();

  @TempDir Path directory;

  FakeSystemd systemd;

  RecordedCoordination engine;

  Systemd.@Nullable Listener events;

  Agent agent;

  ScheduleEntry web;

  @BeforeEach
  void start() throws Exception {
    systemd = new FakeSystemd(directory.resolve("system"));
    web =
        new ScheduleEntry(
            WEB,
            new Incarnation("i1"),
            UnitFile.parse("[Service]\nExecStart=/bin/true\n"),
            TargetState.LAUNCHED,
            1,
            false,
            1,
            Overcommit.NONE,
            List.of());
    begin(time::start, Isolation.KEEP);
  }

  final void begin(EventLoop.Factory loops, Isolation isolation) throws IOException {
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
            work.counted(loops),
            InstantSource.system());
    agent.start();
  }

  /** Has nothing to stop. */
  static final class IdleGuard implements IsolationGuard {
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

  @AfterEach
  void close() throws Exception {
    agent.close();
    work.awaitEnd();
  }

  void restartAgent() throws IOException {
    agent.close();
    begin(time::start, Isolation.KEEP);
    engine.schedule(List.of(web));
  }

  void awaitStarted() throws Exception {
    engine.awaitState(WEB, state -> state.restartCounter() == 1);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
  }
}
