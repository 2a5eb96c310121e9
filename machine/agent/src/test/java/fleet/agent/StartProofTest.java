package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventLoop;
import fleet.coordination.ForwardingLoop;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts that systemd has made, and that do not last. */
class StartProofTest extends AgentOnSystemd {

  /** The looks of the proof at its unit. A busy systemd may find late that a program has ended. */
  private final Queue<Runnable> looks = new ConcurrentLinkedQueue<>();

  @Override
  EventLoop loop(String name, Runnable turnEnd) {
    return new ForwardingLoop(super.loop(name, turnEnd)) {
      @Override
      public Timer postAfter(Duration delay, Runnable work) {
        if (!delay.equals(StartProof.TIME)) {
          return super.postAfter(delay, work);
        }
        looks.add(() -> post(work));
        return () -> {};
      }
    };
  }

  /**
   * The first state that tells the end of a start.
   *
   * @param settled systemd has come to an end with it
   * @param after so long after that the proof looks
   */
  private UnitState proven(ScheduleEntry entry, Predicate<UnitState> settled, Duration after)
      throws Exception {
    engine.schedule(List.of(entry));
    engine.awaitState(entry.unit(), settled);
    time.skip(after);
    Await.until(() -> {
      for (Runnable look = looks.poll(); look != null; look = looks.poll()) {
        look.run();
      }
      return engine.isTold(entry.unit(), state -> state.restartCounter() == 1);
    });
    return engine.awaitState(entry.unit(), state -> state.restartCounter() == 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ExecStart=/bin/false",
        "ExecStart=/opt/nowhere/bin",
        "User=nobody-here|ExecStart=/bin/sleep 1000",
        "Type=exec|ExecStart=/bin/false",
      })
  void aStartThatFailsAtOnceIsNeverTakenForOneThatRuns(String service) throws Exception {
    ScheduleEntry bad = launched("false.service", "[Service]\n" + service.replace("|", "\n"));

    UnitState state = proven(bad, told -> told.systemd().isFailed(), StartProof.TIME);

    assertThat(state.systemd().isFailed()).isTrue();
    forget(bad);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Restart=on-failure|RestartSec=100ms|ExecStart=/opt/nowhere/bin",
        "Restart=on-failure|RestartSec=1ms|ExecStart=/bin/false",
        "Restart=always|RestartSec=200ms|ExecStart=/bin/true",
      })
  void norIsOneOfTheStartsThatSystemdMakesByItself(String service) throws Exception {
    ScheduleEntry bad =
        launched(
            "again.service",
            "[Unit]\nStartLimitIntervalSec=1h\nStartLimitBurst=3\n[Service]\n"
                + service.replace("|", "\n"));

    UnitState state = proven(bad, told -> told.systemd().isFailed(), StartProof.TIME);

    assertThat(state.systemd().isFailed()).isTrue();
    assertThat(state.problem()).contains("result ", "StartLimitBurst=");
    forget(bad);
  }

  @Test
  void aUnitThatSystemdStartsAgainForEverHasFailed() throws Exception {
    ScheduleEntry bad =
        launched(
            "again.service", "[Service]\nRestart=always\nRestartSec=1h\nExecStart=/bin/false\n");

    UnitState state =
        proven(bad, told -> told.systemd().sub().equals("auto-restart"), StartProof.PATIENCE);

    assertThat(state.problem()).contains("Restart=");
    forget(bad);
  }

  @Test
  void aUnitThatRunsWithTheSecondTryIsStarted() throws Exception {
    Path file = directory.resolve("tried");
    ScheduleEntry web =
        launched(
            "second.service",
            "[Service]\nRestart=on-failure\nRestartSec=1ms\nExecStart=/bin/sh -c 'test -e "
                + file
                + " && exec sleep 1000; touch "
                + file
                + "; exit 1'\n");

    UnitState state =
        proven(web, told -> isRunning(told) && told.systemd().restarts() == 1, StartProof.TIME);

    assertThat(state.systemd().isActive()).isTrue();
    assertThat(state.systemd().restarts()).isEqualTo(1);
    assertThat(state.problem()).isEmpty();
    forget(web);
  }
}
