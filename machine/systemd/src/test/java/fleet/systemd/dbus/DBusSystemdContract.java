package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd.KnownUnit;
import fleet.systemd.SystemdException;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of every way to reach systemd. */
abstract class DBusSystemdContract {

  static final String SLEEP = "[Service]\nExecStart=/bin/sleep infinity\n";

  final RecordingListener listener = new RecordingListener();
  final Collection<UnitName> linked = new HashSet<>();
  DBusSystemd systemd;

  abstract PrivateManager manager();

  abstract ManagerAddress address();

  @BeforeEach
  void connect() {
    systemd = DBusSystemd.connect(address(), listener);
  }

  @AfterEach
  void tidyUp() {
    List<CompletableFuture<JobResult>> stops = new ArrayList<>();
    for (UnitName unit : linked) {
      // Units that could not be loaded cannot be stopped either.
      Throwable _ = catchThrowable(() -> stops.add(systemd.stop(unit)));
    }
    for (CompletableFuture<JobResult> stop : stops) {
      stop.handle((result, error) -> true).join();
    }
    linked.forEach(unit -> manager().unlink(unit.value()));
    linked.forEach(systemd::resetFailed);
    systemd.close();
  }

  UnitName link(String name, String text) {
    return link(Map.of(name, text)).getFirst();
  }

  List<UnitName> link(Map<String, String> files) {
    files.forEach((name, text) -> manager().link(manager().write(name, text)));
    List<UnitName> units = files.keySet().stream().map(UnitName::of).toList();
    linked.addAll(units);
    return units;
  }

  SystemdState state(UnitName unit) {
    return Objects.requireNonNull(systemd.states(List.of(unit)).get(unit));
  }

  static String end(CompletableFuture<JobResult> job) {
    return get(job).text();
  }

  private static JobResult get(CompletableFuture<JobResult> job) {
    try {
      return job.get();
    } catch (ExecutionException e) {
      throw (SystemdException) e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static SystemdException refusal(ThrowingCallable call) {
    return catchThrowableOfType(SystemdException.class, call);
  }

  static SystemdException refusal(CompletableFuture<JobResult> job) {
    return catchThrowableOfType(SystemdException.class, () -> get(job));
  }

  @Test
  void runsAService() {
    Instant before = Instant.now().minusSeconds(1);
    UnitName unit = link("web.service", SLEEP);
    assertThat(state(unit).load()).isEqualTo("loaded");
    assertThat(state(unit).active()).isEqualTo("inactive");

    assertThat(end(systemd.start(unit))).isEqualTo("done");
    SystemdState running = state(unit);
    assertThat(running.active()).isEqualTo("active");
    assertThat(running.sub()).isEqualTo("running");
    assertThat(running.result()).isEqualTo("success");
    assertThat(running.invocation()).matches("[0-9a-f]{32}");
    assertThat(running.since()).isBetween(before, Instant.now());

    assertThat(end(systemd.start(unit))).isEqualTo("done");
    assertThat(state(unit)).isEqualTo(running);

    assertThat(end(systemd.restart(unit))).isEqualTo("done");
    assertThat(state(unit).invocation()).isNotEqualTo(running.invocation());

    assertThat(end(systemd.stop(unit))).isEqualTo("done");
    assertThat(state(unit).active()).isEqualTo("inactive");
  }

  @Test
  void knowsWhatIsStoppedTogetherWithAUnit() {
    link(
        Map.of(
            "head.target", "[Unit]\nDescription=A\n",
            "tenants.slice", "[Unit]\nDescription=A\n",
            "bound.service", "[Unit]\nBindsTo=head.target\n" + SLEEP,
            "part.service", "[Unit]\nPartOf=bound.service\n" + SLEEP,
            "told.service", "[Unit]\nStopPropagatedFrom=head.target\n" + SLEEP,
            "wanting.service", "[Unit]\nWants=head.target\nAfter=head.target\n" + SLEEP,
            "member.service", SLEEP + "Slice=tenants.slice\n"));
    for (String unit : List.of("bound", "part", "told", "wanting", "member")) {
      assertThat(end(systemd.start(UnitName.of(unit + ".service")))).isEqualTo("done");
    }

    assertThat(systemd.stoppedWith(UnitName.of("head.target")))
        .extracting(UnitName::value)
        .containsExactlyInAnyOrder("bound.service", "part.service", "told.service");
    assertThat(systemd.stoppedWith(UnitName.of("tenants.slice")))
        .containsExactly(UnitName.of("member.service"));
    assertThat(systemd.stoppedWith(UnitName.of("wanting.service"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.socket | [Socket]\\nListenStream=%t/a.sock\\nService=t.service | listening | success",
        "a.timer | [Timer]\\nOnActiveSec=1d\\nUnit=t.service | waiting | success",
        "a.path | [Path]\\nPathExists=/nowhere/at/all\\nUnit=t.service | waiting | success",
        "a.target | [Unit]\\nDescription=A | active | ''",
        "a.slice | [Slice]\\nCPUWeight=50 | active | ''",
      })
  void runsUnitsOfAllTypes(String name, String text, String sub, String result) {
    UnitName unit = link(name, text.replace("\\n", "\n") + "\n");
    link("t.service", SLEEP);
    systemd.follow(List.of(unit));

    assertThat(end(systemd.start(unit))).isEqualTo("done");

    assertThat(state(unit).sub()).isEqualTo(sub);
    assertThat(state(unit).result()).isEqualTo(result);
    assertThat(listener.await(unit, SystemdState::isActive).sub()).isEqualTo(sub);
    assertThat(end(systemd.stop(unit))).isEqualTo("done");
    listener.await(unit, state -> state.active().equals("inactive"));
  }

  @Test
  void mounts() throws IOException {
    Path where = Files.createDirectory(manager().runtimeDirectory().resolve("mounted"));
    String name =
        manager().run(List.of("systemd-escape", "--path", "--suffix=mount", where.toString()));
    UnitName unit =
        link(
            name.strip(),
            "[Unit]\nDefaultDependencies=no\n[Mount]\nWhat=tmpfs\nType=tmpfs\nWhere=%s\n"
                .formatted(where));

    assertThat(end(systemd.start(unit))).isEqualTo("done");

    assertThat(state(unit).sub()).isEqualTo("mounted");
    assertThat(state(unit).result()).isEqualTo("success");
    assertThat(end(systemd.stop(unit))).isEqualTo("done");
    Files.delete(where);
  }

  @Test
  void tellsHowJobsEnd() {
    UnitName fails = link("fails.service", "[Service]\nType=oneshot\nExecStart=/bin/false\n");
    UnitName needs =
        link("needs.service", "[Unit]\nRequires=fails.service\nAfter=fails.service\n" + SLEEP);
    UnitName slow =
        link(
            "slow.service",
            "[Unit]\nJobTimeoutSec=300ms\n[Service]\nType=notify\nExecStart=/bin/sleep infinity\n");
    UnitName replaced =
        link("replaced.service", "[Service]\nType=notify\nExecStart=/bin/sleep infinity\n");
    UnitName skipped = link("skipped.service", "[Unit]\nConditionPathExists=/nowhere\n" + SLEEP);

    assertThat(end(systemd.start(fails))).isEqualTo("failed");
    assertThat(end(systemd.start(needs))).isEqualTo("dependency");
    assertThat(end(systemd.start(slow))).isEqualTo("timeout");
    CompletableFuture<JobResult> start = systemd.start(replaced);
    assertThat(end(systemd.stop(replaced))).isEqualTo("done");
    assertThat(end(start)).isEqualTo("canceled");
    assertThat(end(systemd.start(skipped))).isEqualTo("done");

    assertThat(state(fails).isFailed()).isTrue();
    assertThat(state(fails).result()).isEqualTo("exit-code");
    assertThat(state(fails).exitCode()).isEqualTo(1);
    assertThat(state(fails).exitSignal()).isZero();
    assertThat(state(needs).active()).isEqualTo("inactive");
  }

  @Test
  void waitsForAServiceThatNotifies() {
    UnitName unit =
        link(
            "notifies.service",
            """
            [Service]
            Type=notify
            NotifyAccess=all
            ExecStart=/bin/sh -c 'sleep 0.3; systemd-notify --ready; exec sleep infinity'
            """);
    systemd.follow(List.of(unit));

    CompletableFuture<JobResult> job = systemd.start(unit);
    listener.awaitOnce(unit, SystemdState::isChanging);

    assertThat(end(job)).isEqualTo("done");
    assertThat(listener.changesOf(unit).getLast().isActive()).isTrue();
  }

  @Test
  void keepsWhatAOneshotDidWhenSystemdHasForgottenIt() {
    UnitName unit = link("once.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n");
    systemd.follow(List.of(unit));

    assertThat(end(systemd.start(unit))).isEqualTo("done");

    SystemdState ended =
        listener.await(unit, s -> s.active().equals("inactive") && !s.invocation().isEmpty());
    assertThat(ended.result()).isEqualTo("success");
    assertThat(ended.since()).isAfter(Instant.EPOCH);
    assertThat(state(unit)).isEqualTo(ended);
    assertThat(manager().systemctl("show", "-P", "InvocationID", unit.value())).isBlank();
    assertThat(end(systemd.stop(unit))).isEqualTo("done");
    assertThat(state(unit)).isEqualTo(ended);
    assertThat(listener.changesOf(unit).getLast()).isEqualTo(ended);
  }

  @Test
  void countsRestarts() {
    UnitName unit =
        link(
            "restarts.service",
            """
            [Unit]
            StartLimitBurst=3
            [Service]
            Restart=always
            RestartSec=20ms
            ExecStart=/bin/false
            """);
    systemd.follow(List.of(unit));

    assertThat(end(systemd.start(unit))).isEqualTo("done");

    SystemdState failed = listener.await(unit, SystemdState::isFailed);
    assertThat(failed.restarts()).isBetween(2L, 3L);
    assertThat(failed.result()).isIn("exit-code", "start-limit-hit");
    assertThat(listener.changesOf(unit)).filteredOn(SystemdState::isFailed).hasSize(1);
    systemd.resetFailed(unit);
    listener.await(unit, state -> state.active().equals("inactive"));
  }

  @Test
  void tellsTheSignalThatEndedAProcessUntilItRunsAgain() {
    UnitName unit = link("killed.service", SLEEP);
    systemd.follow(List.of(unit));
    assertThat(end(systemd.start(unit))).isEqualTo("done");

    manager().systemctl("kill", "--signal=KILL", unit.value());

    SystemdState failed = listener.await(unit, SystemdState::isFailed);
    assertThat(failed.result()).isEqualTo("signal");
    assertThat(failed.exitSignal()).isEqualTo(9);
    assertThat(failed.exitCode()).isZero();
    assertThat(end(systemd.start(unit))).isEqualTo("done");
    assertThat(state(unit).exitSignal()).isZero();
  }

  @Test
  void saysWhySystemdRefuses() {
    UnitName bad = link("bad.service", "[Service]\nType=simple\n");
    manager().systemctl("mask", "--runtime", "masked.service");
    UnitName masked = UnitName.of("masked.service");
    UnitName nowhere = UnitName.of("nowhere.service");

    SystemdException refusal = refusal(() -> systemd.start(bad));
    assertThat(refusal.error()).isEqualTo("org.freedesktop.systemd1.BadUnitSetting");
    assertThat(refusal).hasMessageContaining("cannot start bad.service: ");
    assertThat(refusal(() -> systemd.start(masked)).error())
        .isEqualTo("org.freedesktop.systemd1.UnitMasked");
    assertThat(refusal(() -> systemd.start(nowhere)).isNoSuchUnit()).isTrue();
    assertThat(refusal(() -> systemd.stop(nowhere)).isNoSuchUnit()).isTrue();

    assertThat(state(bad).load()).isEqualTo("bad-setting");
    assertThat(state(masked).load()).isEqualTo("masked");
    assertThat(state(nowhere).load()).isEqualTo("not-found");
    manager().systemctl("unmask", "--runtime", "masked.service");
  }

  @Test
  void resettingAUnitThatIsNotInMemoryIsDone() {
    systemd.resetFailed(UnitName.of("never-heard-of.service"));

    assertThat(systemd.known(List.of(UnitName.of("never-heard-of.service")))).isEmpty();
  }

  @Test
  void knowsForeignUnitsAndLoadsNone() {
    Path file = manager().writeForeign("foreign\\x2dunit.service", SLEEP);
    UnitName unit = UnitName.of("foreign\\x2dunit.service");
    assertThat(systemd.known(List.of(unit))).isEmpty();

    manager().systemctl("start", unit.value());

    assertThat(systemd.known(List.of(UnitName.of("other.service"), unit)))
        .containsExactly(new KnownUnit(unit, "loaded", file.toString()));
    manager().systemctl("stop", unit.value());
  }

  @Test
  void showsItsUnitPath() {
    assertThat(systemd.unitPath())
        .contains(
            manager().foreignUnitFiles(), manager().runtimeDirectory().resolve("systemd/user"));
  }

  @Test
  void tellsWhereUnitFilesEndWithTheBoot() {
    assertThat(systemd.runtimeDirectory())
        .isEqualTo(manager().runtimeDirectory().resolve("systemd/user"));
  }

  @ParameterizedTest
  @CsvSource({"esc@a-b\\x2dc.service", "esc@1.service", "9-lives_and.dots:colon@x@y.service"})
  void followsInstancesWithEscapes(String name) {
    UnitName unit = link(name, SLEEP);
    systemd.follow(List.of(unit));

    assertThat(end(systemd.start(unit))).isEqualTo("done");

    listener.await(unit, SystemdState::isActive);
    assertThat(state(unit).isActive()).isTrue();
    assertThat(systemd.known(List.of(unit))).hasSize(1);
  }

  @Test
  void followsOnlyWhatIsFollowed() {
    UnitName followed = link("followed.service", SLEEP);
    UnitName other = link("other.service", SLEEP);
    systemd.follow(List.of(followed, other));
    systemd.unfollow(List.of(other));

    assertThat(end(systemd.start(other))).isEqualTo("done");
    assertThat(end(systemd.start(followed))).isEqualTo("done");

    listener.await(followed, SystemdState::isActive);
    assertThat(listener.changesOf(other)).isEmpty();
  }

  @Test
  void tellsTheStateBeforeTheEndOfTheJob() {
    UnitName unit = link("ordered.service", "[Unit]\nStartLimitIntervalSec=0\n" + SLEEP);
    systemd.follow(List.of(unit));
    for (int round = 0; round < 20; round++) {
      assertThat(end(systemd.restart(unit))).isEqualTo("done");
      assertThat(listener.changesOf(unit).getLast().isActive()).isTrue();
    }
  }

  @Test
  void startsManyUnitsAtOnce() {
    List<String> names = IntStream.range(0, 300).mapToObj(i -> "many@" + i + ".service").toList();
    Map<String, String> files = new TreeMap<>();
    names.forEach(name -> files.put(name, SLEEP));
    List<UnitName> units = link(files);
    systemd.follow(units);
    assertThat(systemd.states(units).values()).allMatch(s -> s.load().equals("loaded"));

    List<CompletableFuture<JobResult>> jobs = units.stream().map(systemd::start).toList();

    assertThat(jobs).allMatch(job -> end(job).equals("done"));
    assertThat(systemd.states(units)).hasSize(300);
    assertThat(systemd.states(units).values()).allMatch(s -> s.sub().equals("running"));
    assertThat(units).allMatch(unit -> listener.changesOf(unit).getLast().isActive());
  }

  @Test
  void noticesAFileThatIsGoneAfterAReload() {
    UnitName unit = link("vanishes.service", SLEEP);
    systemd.follow(List.of(unit));
    assertThat(end(systemd.start(unit))).isEqualTo("done");
    manager().unlink(unit.value());

    systemd.reload();

    SystemdState state = listener.await(unit, s -> s.load().equals("not-found"));
    assertThat(state.isActive()).isTrue();
  }

  @Test
  void tellsNothingOfUnitsThatRunOnThroughReloads() {
    UnitName steady = link("steady.service", SLEEP);
    UnitName probe = link("probe.service", SLEEP);
    systemd.follow(List.of(steady, probe));
    assertThat(end(systemd.start(steady))).isEqualTo("done");
    listener.await(steady, SystemdState::isActive);
    int told = listener.changesOf(steady).size();

    for (int reload = 0; reload < 20; reload++) {
      systemd.reload();
      assertThat(end(systemd.restart(probe))).isEqualTo("done");
      listener.await(probe, SystemdState::isActive);
    }

    assertThat(listener.changesOf(steady)).hasSize(told);
  }

  @Test
  void comesBackAfterSystemdHasExecutedItself() throws IOException {
    UnitName unit = link("stays.service", SLEEP);
    UnitName slow =
        link(
            "slow-start.service",
            "[Service]\nType=notify\nNotifyAccess=all\nExecStart=/bin/sh -c"
                + " 'while test ! -e %t/go; do sleep 0.05; done; systemd-notify --ready;"
                + " exec sleep infinity'\n");
    systemd.follow(List.of(unit, slow));
    assertThat(end(systemd.start(unit))).isEqualTo("done");
    CompletableFuture<JobResult> pending = systemd.start(slow);
    listener.await(slow, SystemdState::isChanging);

    manager().systemctl("daemon-reexec");
    listener.awaitReconnected(1);

    assertThat(listener.links()).startsWith("disconnected", "reconnected");
    assertThat(state(unit).isActive()).isTrue();
    assertThat(pending).isNotDone();
    Path go = Files.createFile(manager().runtimeDirectory().resolve("go"));
    assertThat(end(pending)).isEqualTo("done");
    listener.await(slow, SystemdState::isActive);
    assertThat(end(systemd.stop(unit))).isEqualTo("done");
    listener.await(unit, s -> s.active().equals("inactive"));
    Files.delete(go);
  }

  @Test
  void failsWhatIsPendingWhenClosed() {
    UnitName unit =
        link("pending.service", "[Service]\nType=notify\nExecStart=/bin/sleep infinity\n");
    systemd.follow(List.of(unit));
    CompletableFuture<JobResult> job = systemd.start(unit);
    listener.await(unit, SystemdState::isChanging);

    systemd.close();

    assertThat(refusal(job)).hasMessageContaining("pending.service");
    assertThatThrownBy(() -> systemd.unitPath()).isInstanceOf(SystemdException.class);
    systemd = DBusSystemd.connect(address(), listener);
  }
}
