package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Marks;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A machine that is to be without its units, above a real systemd. */
class ReleaseTest extends AgentOnSystemd {

  private final List<String> progress = Collections.synchronizedList(new ArrayList<>());

  private void release() throws InterruptedException {
    agent.release((units, all) -> progress.add(units + "/" + all));
  }

  @Test
  void allUnitsStopAndAreGoneBeforeTheMachineLeaves() throws Exception {
    List<ScheduleEntry> entries =
        IntStream.range(0, 12).mapToObj(i -> launched("r" + i + ".service", SLEEP)).toList();
    engine.schedule(entries);
    for (ScheduleEntry entry : entries) {
      engine.awaitState(entry.unit(), state -> state.systemd().isActive());
    }

    release();

    assertThat(engine.isLeftEmptied()).isTrue();
    assertThat(progress).startsWith("0/12").endsWith("12/12");
    for (ScheduleEntry entry : entries) {
      assertThat(engine.reports(entry.unit()).getLast()).isInstanceOf(AgentReport.Gone.class);
      assertThat(shown(entry, "LoadState")).isEqualTo("not-found");
    }
    assertThat(new Marks(directory.resolve("marks"), "boot").readAll().current()).isEmpty();
  }

  @Test
  void theEndOfTheMaintenanceIsThatOfTheLastSchedule() {
    assertThat(agent.maintenance()).isEmpty();
    engine.schedule(List.of());
    assertThat(agent.maintenance()).isEmpty();
    Instant until = Instant.parse("2026-01-01T00:00:00Z");
    engine.maintain(until);
    engine.schedule(List.of());
    assertThat(agent.maintenance()).contains(until);
  }

  @Test
  void whatTheScheduleSaysMeanwhileDoesNotMatter() throws Exception {
    ScheduleEntry web = launched("still.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    release();
    engine.schedule(List.of(web));
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(shown(web, "LoadState")).isEqualTo("not-found");
  }

  @Test
  void unitsOfAnEarlierAgentGoBeforeTheScheduleIsKnown() throws Exception {
    ScheduleEntry web = launched("earlier.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    restartAgent();

    release();

    assertThat(shown(web, "LoadState")).isEqualTo("not-found");
    assertThat(engine.isLeft()).isTrue();
  }

  @Test
  void aStartUnderWayIsNotWaitedFor() throws Exception {
    ScheduleEntry slow =
        launched("slow.service", "[Service]\nType=oneshot\nExecStart=/bin/sleep 1000\n");
    engine.schedule(List.of(slow));
    engine.awaitState(slow.unit(), state -> state.systemd().active().equals("activating"));

    release();

    assertThat(shown(slow, "LoadState")).isEqualTo("not-found");
    assertThat(progress).endsWith("1/1");
  }

  @Test
  void aUnitThatSystemdStopsAtTheSameTimeIsWaitedFor() throws Exception {
    Path go = directory.resolve("go");
    ScheduleEntry web =
        launched(
            "both.service",
            SLEEP + "ExecStop=/bin/sh -c 'until [ -e " + go + " ]; do sleep 0.05; done'\n");
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    systemctl("stop", "--no-block", "--job-mode=replace-irreversibly", "both.service");

    Thread releasing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                release();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    engine.awaitState(web.unit(), state -> state.systemd().active().equals("deactivating"));
    assertThat(engine.isLeft()).isFalse();
    Files.createFile(go);
    releasing.join();

    assertThat(engine.reports(web.unit()).getLast()).isInstanceOf(AgentReport.Gone.class);
    assertThat(engine.isLeft()).isTrue();
  }

  @Test
  void whatHasEndedIsToldToHaveAndWhatIsStoppedIsNot() throws Exception {
    ScheduleEntry job = launched("job.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n");
    ScheduleEntry web = launched("until.service", SLEEP);
    engine.schedule(List.of(job, web));
    engine.awaitState(job.unit(), ReleaseTest::looksEnded);
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    time.skip(Release.REST);

    release();

    assertThat(lastState(job.unit())).matches(ReleaseTest::looksEnded);
    assertThat(states(web.unit())).isNotEmpty().noneMatch(ReleaseTest::looksEnded);
  }

  @Test
  void whatHasOnlyJustBecomeInactiveIsNotToldToHaveEnded() throws Exception {
    ScheduleEntry job = launched("now.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n");
    engine.schedule(List.of(job));
    engine.awaitState(job.unit(), ReleaseTest::looksEnded);

    release();

    assertThat(lastState(job.unit())).matches(state -> state.restartCounter() == 0);
  }

  private static boolean looksEnded(UnitState state) {
    return state.performed() == DesiredState.LAUNCHED
        && state.restartCounter() == 1
        && state.systemd().active().equals("inactive");
  }

  private UnitState lastState(UnitName unit) {
    return states(unit).getLast();
  }

  private List<UnitState> states(UnitName unit) {
    return engine.reports(unit).stream()
        .filter(AgentReport.Stated.class::isInstance)
        .map(report -> ((AgentReport.Stated) report).state())
        .toList();
  }

  @Test
  void aMachineWithoutUnitsLeavesAtOnce() throws Exception {
    engine.schedule(List.of());
    release();
    assertThat(progress).containsOnly("0/0");
    assertThat(engine.isLeft()).isTrue();
  }
}
