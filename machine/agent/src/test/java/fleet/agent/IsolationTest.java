package fleet.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.isolation.SystemdGuard;
import fleet.agent.mark.WholeFile;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A machine that the cluster does not answer, above a real systemd. The deadlines are hours away: a
 * test moves them to where they would be after that time, and wakes the guard, which reads them.
 */
class IsolationTest extends AgentOnSystemd {

  private static final Duration TTL = Duration.ofHours(3);

  /** Units are stopped so long after what was acknowledged last. */
  private static final Duration STOP_AFTER = Duration.ofHours(2);

  /** Does not end when it is told to; systemd does not kill it either. */
  private static final String STUBBORN =
      """
      [Service]
      ExecStart=/bin/sh -c "trap '' TERM; while :; do sleep 1; done"
      TimeoutStopSec=infinity
      """;

  @Override
  @BeforeEach
  void start() throws IOException {
    begin(Isolation.STOP);
  }

  private static Machine machine(Isolation isolation) {
    return new Machine("m1", "boot", "", Map.of(), "test", isolation);
  }

  private void begin(Isolation isolation) throws IOException {
    begin(
        machine(isolation),
        new AgentSettings(
            directory.resolve("units"),
            directory.resolve("marks"),
            directory.resolve("isolation"),
            Duration.ofHours(1),
            TTL,
            true));
    acknowledge();
  }

  private void acknowledge() {
    engine.acknowledge(Duration.ZERO);
  }

  @Override
  @AfterEach
  void stop() throws Exception {
    engine.schedule(List.of());
    agent.release((_, _) -> {});
    agent.close();
    assertThat(active(SystemdGuard.SERVICE)).isEqualTo("inactive");
    assertThat(directory.resolve("isolation")).isEmptyDirectory();
  }

  private ScheduleEntry running(ScheduleEntry entry) throws Exception {
    engine.change(entry);
    engine.awaitState(entry.unit(), IsolationTest::hasStarted);
    return entry;
  }

  private static boolean hasStarted(UnitState state) {
    return isRunning(state) && state.restartCounter() > 0;
  }

  /**
   * When units are stopped and what is left of them is killed, as the guard is told.
   *
   * @param stop in hundredths of a second since the boot, as all times here
   */
  private record Deadline(long stop, long kill) {

    Deadline earlierBy(long time) {
      return new Deadline(stop - time, kill - time);
    }
  }

  private Path deadlineFile() {
    return directory.resolve("isolation/deadline");
  }

  private Deadline deadline() throws IOException {
    try (var numbers = new Scanner(deadlineFile(), UTF_8)) {
      return new Deadline(numbers.nextLong(), numbers.nextLong());
    }
  }

  private void write(Deadline deadline) throws IOException {
    WholeFile.write(deadlineFile(), deadline.stop() + " " + deadline.kill() + "\n");
  }

  private static long uptime() throws IOException {
    String text = Files.readString(Path.of("/proc/uptime"));
    return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
  }

  private static long centis(Duration time) {
    return time.toMillis() / 10;
  }

  /** So much time has passed without an answer that units are to be stopped. */
  private void letTheTimePass() throws Exception {
    Deadline before = deadline();
    write(before.earlierBy(before.stop() - uptime()));
    wakeGuard();
  }

  /** The guard has slept for long enough, and looks at the deadlines again. */
  private static void wakeGuard() throws InterruptedException {
    Await.value(IsolationTest::sleepOfGuard, Optional::isPresent)
        .ifPresent(ProcessHandle::destroyForcibly);
  }

  private static Optional<ProcessHandle> sleepOfGuard() {
    return ProcessHandle.of(mainPid(SystemdGuard.SERVICE)).stream()
        .flatMap(ProcessHandle::children)
        .filter(child -> child.info().command().filter(name -> name.endsWith("sleep")).isPresent())
        .findFirst();
  }

  private static long mainPid(UnitName unit) {
    return Long.parseLong(shown(unit, "MainPID"));
  }

  @Test
  void theTimeCountsFromWhatWasAcknowledged() throws Exception {
    engine.schedule(List.of());
    running(launched("counted.service", SLEEP, false));
    Deadline first = deadline();
    time.skip(Duration.ofMinutes(2));
    long before = uptime();
    Duration ago = Duration.ofMinutes(1);
    engine.acknowledge(ago);
    Deadline next = Await.value(this::readDeadline, now -> !now.equals(first));
    long after = uptime();

    assertThat(next.stop() - centis(STOP_AFTER.minus(ago))).isBetween(before - 1, after);
    assertThat(next.kill() - next.stop()).isEqualTo(centis(TTL.minus(STOP_AFTER)));
  }

  private Deadline readDeadline() {
    try {
      return deadline();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void unitsStopBeforeTheTimeIsOverWithFleetdDead() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("dead\\x2d1.service", SLEEP, false));
    ScheduleEntry everywhere = running(launched("everywhere.service", SLEEP, true));
    agent.close();
    letTheTimePass();
    Await.until(() -> active(web.unit()).equals("inactive"));
    assertThat(deadline().kill()).isGreaterThan(uptime());
    assertThat(active(everywhere.unit())).isEqualTo("active");

    // And a fleetd that is back in time runs it again.
    begin(Isolation.STOP);
    engine.schedule(List.of(web, everywhere));
    engine.awaitState(web.unit(), IsolationTest::hasStarted);
  }

  @Test
  void aSliceStaysWithWhatIsGlobalInIt() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("inside.service", SLEEP + "Slice=held.slice\n", false));
    ScheduleEntry held = running(launched("held.slice", "[Slice]\nTasksMax=50\n", false));
    ScheduleEntry everywhere = running(launched("all.service", SLEEP + "Slice=held.slice\n", true));
    agent.close();
    letTheTimePass();
    Await.until(() -> active(web.unit()).equals("inactive"));
    wakeGuard();
    Await.until(() -> active(SystemdGuard.SERVICE).equals("inactive"));

    assertThat(active(everywhere.unit())).isEqualTo("active");
    assertThat(active(held.unit())).isEqualTo("active");
    begin(Isolation.STOP);
    engine.schedule(List.of());
    engine.awaitReport(held.unit(), AgentReport.Gone.class);
  }

  @Test
  void whatDoesNotStopIsKilledWhenTheTimeIsOver() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry stubborn = running(launched("stubborn.service", STUBBORN, false));
    agent.close();
    long before = uptime();
    letTheTimePass();
    Await.until(() -> active(stubborn.unit()).equals("deactivating"));
    long sleeps = lengthOf(Await.value(IsolationTest::sleepOfGuard, Optional::isPresent));
    assertThat(deadline().kill() - sleeps).isBetween(before, uptime());
    wakeGuard();
    Await.until(() -> !active(stubborn.unit()).equals("deactivating"));
    begin(Isolation.STOP);
    engine.schedule(List.of());
    engine.awaitReport(stubborn.unit(), AgentReport.Gone.class);
  }

  private static long lengthOf(Optional<ProcessHandle> sleep) {
    String[] arguments = sleep.orElseThrow().info().arguments().orElseThrow();
    return Long.parseLong(arguments[0].replace(".", ""));
  }

  @Test
  void nothingStopsWhileTheClusterAnswers() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("answered.service", SLEEP, false));
    long pid = mainPid(web.unit());
    Deadline passed = new Deadline(uptime(), uptime() + centis(TTL.minus(STOP_AFTER)));
    write(passed);
    acknowledge();
    Await.value(this::readDeadline, now -> now.stop() > passed.stop());
    ProcessHandle sleep =
        Await.value(IsolationTest::sleepOfGuard, Optional::isPresent).orElseThrow();
    sleep.destroyForcibly();
    // The guard has looked at the deadlines once it sleeps again.
    Await.value(
        IsolationTest::sleepOfGuard, other -> other.filter(now -> !now.equals(sleep)).isPresent());
    assertThat(mainPid(web.unit())).isEqualTo(pid);
    assertThat(directory.resolve("isolation/stopped")).doesNotExist();
  }

  @Test
  void aFleetdThatLivesStartsAgainWhatIsStillItsOwnAndRemovesTheRest() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry own = running(launched("own.service", SLEEP, false));
    ScheduleEntry moved = running(launched("moved.service", SLEEP, false));
    ScheduleEntry ended = running(launched("ended.service", SLEEP, false));
    systemctl("stop", "ended.service");
    engine.awaitState(ended.unit(), state -> !state.systemd().isActive());
    time.skip(STOP_AFTER);
    letTheTimePass();
    Await.until(
        () -> active(own.unit()).equals("inactive") && active(moved.unit()).equals("inactive"));
    // A start that comes while nobody knows whose the unit is has to wait.
    ScheduleEntry late = launched("late.service", SLEEP, false);
    engine.change(late);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();

    // A unit that isolation has stopped has not ended, however long ago that was.
    engine.awaitState(moved.unit(), state -> !state.systemd().isActive());
    time.skip(Duration.ofMinutes(1));
    ScheduleEntry leaving = moved.withTarget(TargetState.STOPPING);
    engine.schedule(List.of(own, ended, late, leaving));
    assertThat(active(late.unit())).isEqualTo("inactive");
    acknowledge();

    engine.awaitState(own.unit(), IsolationTest::hasStarted);
    engine.awaitState(late.unit(), IsolationTest::hasStarted);
    assertThat(engine.awaitStopped(leaving).ended()).isFalse();
    assertThat(active(ended.unit())).isEqualTo("inactive");
    assertThat(directory.resolve("isolation/stopped")).doesNotExist();
    Await.until(() -> active(SystemdGuard.SERVICE).equals("active"));
  }

  /** A machine is cut off while it is leaving, and fleetd comes back before that has ended. */
  @Test
  void whatWasAboutToStopAnywayIsStartedOnce() throws Exception {
    Path runs = directory.resolve("runs");
    Path held = Files.createFile(directory.resolve("held"));
    String job =
        "[Service]\nExecStart=/bin/sh -c 'echo >>%s; test ! -e %s || exec sleep infinity'\n"
            .formatted(runs, held);
    engine.schedule(List.of());
    ScheduleEntry once = running(launched("once.service", job, false));
    agent.close();
    letTheTimePass();
    Await.until(() -> active(once.unit()).equals("inactive"));
    Path mark = directory.resolve("marks").resolve(once.unit().value());
    Files.writeString(mark, "stopping=true\n", StandardOpenOption.APPEND);
    Files.delete(held);
    Deadline passed = deadline();

    begin(Isolation.STOP);
    Await.value(this::readDeadline, now -> now.stop() > passed.stop());
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    engine.schedule(List.of(once));
    engine.awaitState(once.unit(), state -> state.restartCounter() > 0);
    acknowledge();
    Await.until(() -> !Files.exists(directory.resolve("isolation/stopped")));
    ScheduleEntry next = launched("next.service", SLEEP, false);
    engine.change(next);
    engine.awaitState(next.unit(), IsolationTest::hasStarted);

    assertThat(runs).hasContent("\n\n");
  }

  /** The guard is ended before what it has stopped is read. */
  @Test
  void nothingStartsWithoutAGuardWhereWhatItStoppedCannotBeRead() throws Exception {
    agent.close();
    Path unreadable = Files.createDirectory(directory.resolve("isolation/stopped"));
    begin(Isolation.STOP);
    engine.schedule(List.of());
    Await.until(() -> active(SystemdGuard.SERVICE).equals("inactive"));
    ScheduleEntry late = launched("unguarded.service", SLEEP, false);
    engine.change(late);
    assertThat(agent.answersWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(active(late.unit())).isEqualTo("inactive");

    Files.delete(unreadable);
    acknowledge();
    engine.awaitState(late.unit(), IsolationTest::hasStarted);
    assertThat(active(SystemdGuard.SERVICE)).isEqualTo("active");
  }

  @Test
  void withKeepNothingIsLeftThatStopsUnits() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("kept.service", SLEEP, false));
    agent.present(machine(Isolation.KEEP));
    Await.until(() -> active(SystemdGuard.SERVICE).equals("inactive"));
    Await.until(() -> !Files.exists(deadlineFile()));
    assertThat(active(web.unit())).isEqualTo("active");
    assertThat(systemctl("list-unit-files", "--no-legend")).doesNotContain("isolation");
  }

  @Test
  void aGuardThatIsKilledComesBack() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry web = running(launched("guarded.service", SLEEP, false));
    long before = mainPid(SystemdGuard.SERVICE);
    systemctl("kill", "--signal=KILL", SystemdGuard.SERVICE.value());
    agent.close();
    Await.until(() -> mainPid(SystemdGuard.SERVICE) != before && sleepOfGuard().isPresent());
    letTheTimePass();
    Await.until(() -> active(web.unit()).equals("inactive"));
    begin(Isolation.STOP);
  }

  private static String active(UnitName unit) {
    return shown(unit, "ActiveState");
  }

  private static ScheduleEntry launched(String unit, String text, boolean global) {
    return new ScheduleEntry(
        UnitName.of(unit),
        new Incarnation("i1"),
        file(text),
        TargetState.LAUNCHED,
        1,
        global,
        1,
        Overcommit.NONE,
        List.of());
  }
}
