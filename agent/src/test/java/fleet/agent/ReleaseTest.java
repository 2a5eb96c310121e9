package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.mark.Marks;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.systemd.dbus.DBusSystemd;
import fleet.systemd.dbus.ManagerAddress;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is to be without its units, above a real systemd. */
class ReleaseTest {

  @RegisterExtension static final PrivateManager MANAGER = new PrivateManager();

  private static final String SLEEP = "[Service]\nExecStart=/bin/sleep 1000\n";

  @TempDir Path directory;
  private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
  private final SkippedTime time = new SkippedTime();
  private RecordedCoordination engine;
  private Agent agent;

  @BeforeEach
  void begin() throws IOException {
    engine = new RecordedCoordination();
    agent =
        new Agent(
            new Machine("m1", "boot", "", Map.of(), "test"),
            new AgentSettings(
                directory.resolve("units"), directory.resolve("marks"), Duration.ofHours(1)),
            engine,
            _ -> {
              throw new IllegalStateException("nobody asked");
            },
            listener ->
                DBusSystemd.connect(
                    new ManagerAddress.PrivateSocket(MANAGER.privateSocket()), listener),
            time::start);
    agent.start();
  }

  @AfterEach
  void close() {
    agent.close();
  }

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
      assertThat(systemctl(entry.unit(), "LoadState")).isEqualTo("not-found");
    }
    assertThat(new Marks(directory.resolve("marks"), "boot").readAll().current()).isEmpty();
  }

  @Test
  void whatTheScheduleSaysMeanwhileDoesNotMatter() throws Exception {
    ScheduleEntry web = launched("still.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    release();
    engine.schedule(List.of(web));
    assertThat(agent.answersWithin(Duration.ofSeconds(10))).isTrue();
    assertThat(systemctl(web.unit(), "LoadState")).isEqualTo("not-found");
  }

  @Test
  void unitsOfAnEarlierAgentGoBeforeTheScheduleIsKnown() throws Exception {
    ScheduleEntry web = launched("earlier.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), state -> state.systemd().isActive());
    agent.close();
    begin();

    release();

    assertThat(systemctl(web.unit(), "LoadState")).isEqualTo("not-found");
    assertThat(engine.isLeft()).isTrue();
  }

  @Test
  void aStartUnderWayIsNotWaitedFor() throws Exception {
    ScheduleEntry slow =
        launched("slow.service", "[Service]\nType=oneshot\nExecStart=/bin/sleep 1000\n");
    engine.schedule(List.of(slow));
    engine.awaitState(slow.unit(), state -> state.systemd().active().equals("activating"));

    release();

    assertThat(systemctl(slow.unit(), "LoadState")).isEqualTo("not-found");
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
    MANAGER.systemctl("stop", "--no-block", "--job-mode=replace-irreversibly", "both.service");

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

  private static String systemctl(UnitName unit, String property) {
    return MANAGER.systemctl("show", "-P", property, unit.value()).strip();
  }

  private static ScheduleEntry launched(String unit, String text) {
    try {
      return new ScheduleEntry(
          UnitName.of(unit),
          new Incarnation("i1"),
          UnitFile.parse(text),
          Target.LAUNCHED,
          1,
          false,
          1);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
