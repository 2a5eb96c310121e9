package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.isolation.SystemdGuard;
import fleet.coordination.EventThread;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A machine that the cluster does not answer, above a real systemd. */
class IsolationTest {

  @RegisterExtension static final PrivateManager MANAGER = new PrivateManager();

  private static final Duration TTL = Duration.ofSeconds(2);
  private static final String SLEEP = "[Service]\nExecStart=/bin/sleep 1000\n";

  /** Does not end when it is told to. */
  private static final String STUBBORN =
      """
      [Service]
      ExecStart=/bin/sh -c "trap '' TERM; while :; do sleep 1; done"
      TimeoutStopSec=60
      """;

  @TempDir Path directory;
  private ScheduledExecutorService clock;
  private RecordedCoordination engine;
  private Agent agent;
  private Future<?> acknowledging = CompletableFuture.completedFuture(true);

  @BeforeEach
  void start() throws IOException {
    clock = Executors.newSingleThreadScheduledExecutor();
    begin(Isolation.STOP);
  }

  private static Machine machine(Isolation isolation) {
    return new Machine("m1", "boot", "", Map.of(), "test", isolation);
  }

  private void begin(Isolation isolation) throws IOException {
    engine = new RecordedCoordination();
    agent =
        new Agent(
            machine(isolation),
            new AgentSettings(
                directory.resolve("units"),
                directory.resolve("marks"),
                directory.resolve("isolation"),
                Duration.ofHours(1),
                TTL,
                true),
            engine,
            _ -> {
              throw new IllegalStateException("nobody asked");
            },
            listener ->
                DBusSystemd.connect(
                    new ManagerAddress.PrivateSocket(MANAGER.privateSocket()), listener),
            EventThread::new);
    agent.start();
    acknowledge();
  }

  private void acknowledge() {
    RecordedCoordination told = engine;
    acknowledging =
        clock.scheduleAtFixedRate(
            () -> told.acknowledge(Duration.ofMillis(5)), 0, 500, TimeUnit.MILLISECONDS);
  }

  /** The cluster answers no more; returns the moment of its last answer at the latest. */
  private long isolate() {
    acknowledging.cancel(true);
    return System.nanoTime();
  }

  @AfterEach
  void stop() throws Exception {
    isolate();
    clock.shutdownNow();
    engine.schedule(List.of());
    agent.release((_, _) -> {});
    agent.close();
    assertThat(active(SystemdGuard.SERVICE)).isEqualTo("inactive");
    assertThat(directory.resolve("isolation")).isEmptyDirectory();
  }

  private ScheduleEntry running(ScheduleEntry entry) throws Exception {
    engine.change(entry);
    engine.awaitState(entry.unit(), IsolationTest::isRunning);
    return entry;
  }

  private static boolean isRunning(UnitState state) {
    return state.systemd().active().equals("active") && state.restartCounter() > 0;
  }

  @Test
  void unitsStopBeforeTheTimeIsOverWithFleetdDead() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("dead\\x2d1.service", SLEEP, false));
    ScheduleEntry everywhere = running(launched("everywhere.service", SLEEP, true));
    agent.close();
    long isolated = isolate();
    await(() -> active(web.unit()).equals("inactive"));
    assertThat(since(isolated)).isBetween(Duration.ofMillis(500), TTL);
    assertThat(active(everywhere.unit())).isEqualTo("active");

    // And a fleetd that is back in time runs it again.
    begin(Isolation.STOP);
    engine.schedule(List.of(web, everywhere));
    engine.awaitState(web.unit(), IsolationTest::isRunning);
  }

  @Test
  void whatDoesNotStopIsKilledWhenTheTimeIsOver() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry stubborn = running(launched("stubborn.service", STUBBORN, false));
    agent.close();
    long isolated = isolate();
    await(() -> active(stubborn.unit()).equals("deactivating"));
    assertThat(since(isolated)).isLessThan(TTL);
    await(() -> !active(stubborn.unit()).equals("deactivating"));
    assertThat(since(isolated)).isBetween(TTL.minusMillis(600), TTL.plusMillis(800));
    begin(Isolation.STOP);
    engine.schedule(List.of());
    engine.awaitReport(stubborn.unit(), AgentReport.Gone.class);
  }

  @Test
  void nothingStopsWhileTheClusterAnswers() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("answered.service", SLEEP, false));
    String pid = MANAGER.systemctl("show", "-P", "MainPID", web.unit().value());
    long end = System.nanoTime() + TTL.multipliedBy(3).toNanos();
    await(() -> System.nanoTime() > end);
    assertThat(MANAGER.systemctl("show", "-P", "MainPID", web.unit().value())).isEqualTo(pid);
    assertThat(directory.resolve("isolation/stopped")).doesNotExist();
  }

  @Test
  void aFleetdThatLivesStartsAgainWhatIsStillItsOwnAndRemovesTheRest() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry own = running(launched("own.service", SLEEP, false));
    ScheduleEntry moved = running(launched("moved.service", SLEEP, false));
    ScheduleEntry ended = running(launched("ended.service", SLEEP, false));
    MANAGER.systemctl("stop", "ended.service");
    engine.awaitState(ended.unit(), state -> !state.systemd().isActive());
    isolate();
    await(() -> active(own.unit()).equals("inactive") && active(moved.unit()).equals("inactive"));
    // A start that comes while nobody knows whose the unit is has to wait.
    ScheduleEntry late = launched("late.service", SLEEP, false);
    engine.change(late);
    assertThat(agent.answersWithin(Duration.ofSeconds(10))).isTrue();

    engine.schedule(List.of(own, ended, late));
    assertThat(active(late.unit())).isEqualTo("inactive");
    acknowledge();

    engine.awaitState(own.unit(), IsolationTest::isRunning);
    engine.awaitState(late.unit(), IsolationTest::isRunning);
    engine.awaitReport(moved.unit(), AgentReport.Gone.class);
    assertThat(active(ended.unit())).isEqualTo("inactive");
    assertThat(directory.resolve("isolation/stopped")).doesNotExist();
    await(() -> active(SystemdGuard.SERVICE).equals("active"));
  }

  @Test
  void withKeepNothingIsLeftThatStopsUnits() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("kept.service", SLEEP, false));
    agent.present(machine(Isolation.KEEP));
    await(() -> active(SystemdGuard.SERVICE).equals("inactive"));
    await(() -> !Files.exists(directory.resolve("isolation/deadline")));
    isolate();
    long end = System.nanoTime() + TTL.plusMillis(500).toNanos();
    await(() -> System.nanoTime() > end);
    assertThat(active(web.unit())).isEqualTo("active");
    assertThat(MANAGER.systemctl("list-unit-files", "--no-legend")).doesNotContain("isolation");
  }

  @Test
  void aGuardThatIsKilledComesBack() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("guarded.service", SLEEP, false));
    MANAGER.systemctl("kill", "--signal=KILL", SystemdGuard.SERVICE.value());
    agent.close();
    long isolated = isolate();
    await(() -> active(web.unit()).equals("inactive"));
    assertThat(since(isolated)).isLessThan(TTL);
    begin(Isolation.STOP);
  }

  private static Duration since(long moment) {
    return Duration.ofNanos(System.nanoTime() - moment);
  }

  /** Nobody tells what a systemd does that only a dead fleetd would listen to. */
  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(10);
    }
  }

  private static String active(UnitName unit) {
    return MANAGER.systemctl("show", "-P", "ActiveState", unit.value()).strip();
  }

  private static ScheduleEntry launched(String unit, String text, boolean global) {
    try {
      return new ScheduleEntry(
          UnitName.of(unit),
          new Incarnation("i1"),
          UnitFile.parse(text),
          Target.LAUNCHED,
          1,
          global,
          1);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
