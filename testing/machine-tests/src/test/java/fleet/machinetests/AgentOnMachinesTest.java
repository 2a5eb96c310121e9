package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import fleet.testkit.SharedMachines;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units on one machine, each test with units of its own. */
@ExtendWith(MachinesExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AgentOnMachinesTest {

  private final OperatingSystem system;
  private FleetMachine fleet;

  AgentOnMachinesTest(OperatingSystem system) {
    this.system = system;
  }

  @BeforeAll
  void server(SharedMachines machines) {
    fleet = machines.server(system);
  }

  @Test
  void theMachineIsListed() {
    assertThat(fleet.succeed("list-machines", "--full", "--no-legend"))
        .startsWith(fleet.machine().id())
        .contains(fleet.machine().address());
  }

  @Test
  void aStartedUnitRunsAndIsReported() {
    fleet.sleeper("started.service");

    fleet.succeed("start", "started.service");

    assertThat(fleet.machine().property("started.service", "ActiveState")).isEqualTo("active");
    fleet.awaitState("started.service", "active running");
  }

  /** As long as systemd allows, and as a file's may be. */
  @Test
  void aUnitOfTheLongestNameLivesAsOthers() {
    String name = "l".repeat(247) + ".service";
    fleet.machine().write("/root/short", "[Service]\nExecStart=/bin/sleep infinity\n");
    fleet.machine().succeed("mv", "/root/short", "/root/" + name);

    fleet.succeed("start", name);
    fleet.awaitState(name, "active running");
    assertThat(fleet.succeed("status", name)).contains("active (running)");
    fleet.succeed("restart", name);
    fleet.succeed("stop", name);
    fleet.succeed("destroy", name);

    assertThat(fleet.machine().property(name, "LoadState")).isEqualTo("not-found");
  }

  @Test
  void aFailedUnitIsSaidToHaveFailedWithItsLastLines() {
    fleet.unitFile(
        "broken.service",
        "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo the disk is on fire; exit 7'\n");

    var result = fleet.fleetctl("start", "broken.service");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.stderr()).contains("exit-code").contains("the disk is on fire");
    fleet.awaitState("broken.service", "failed failed");
  }

  @Test
  void aSignalWritesTheUnitsOfTheMachineIntoTheJournalAsFleet1Did() {
    fleet.sleeper("dumped.service").succeed("start", "dumped.service");
    fleet.awaitState("dumped.service", "active running");

    String dump =
        "\\{\"Agent\":\\{\"Cache\":\\{\"TargetStates\":\\{.*\"dumped.service\":\"launched\".*"
            + "\"UnitStatePublisher\":\\{\"Cache\":\\{.*\"dumped.service\":\\{\"LoadState\":\"loaded\","
            + "\"ActiveState\":\"active\",\"SubState\":\"running\",\"MachineID\":\""
            + fleet.machine().id()
            + ".*\"UnitStateGenerator\":\\{\"Subscribed\":\\[.*\"dumped.service\"";
    // While another test has hundreds of units here, journald breaks the line. The signal is for
    // fleetd alone: it would end what fleetd runs for the other tests.
    fleet
        .machine()
        .await(
            "a dump in one line of the journal",
            () ->
                fleet
                    .machine()
                    .run(
                        "sh",
                        "-c",
                        "systemctl kill --kill-whom=main --signal=USR1 fleet.service;"
                            + " journalctl -b -u fleet.service -o cat | grep -qE \"$0\"",
                        dump)
                    .ok());
  }

  @Test
  void aLoadedUnitIsKnownAndNotStarted() {
    fleet.sleeper("loaded.service").succeed("load", "loaded.service");

    assertThat(fleet.machine().property("loaded.service", "LoadState")).isEqualTo("loaded");
    assertThat(fleet.pid("loaded.service")).isEqualTo("0");
    fleet.awaitState("loaded.service", "inactive dead");
  }

  @Test
  void aStoppedUnitIsInactiveAndStaysLoaded() {
    fleet.sleeper("stopped.service").succeed("start", "stopped.service");

    fleet.succeed("stop", "stopped.service");

    assertThat(fleet.pid("stopped.service")).isEqualTo("0");
    assertThat(fleet.machine().property("stopped.service", "LoadState")).isEqualTo("loaded");
    fleet.awaitState("stopped.service", "inactive dead");
  }

  @Test
  void aRestartedUnitHasAnotherProcessAndNotAThird() {
    fleet.sleeper("restarted.service").succeed("start", "restarted.service");
    String before = fleet.pid("restarted.service");

    fleet.succeed("restart", "restarted.service");

    assertThat(fleet.pid("restarted.service")).isNotEqualTo(before).isNotEqualTo("0");
    fleet.awaitState("restarted.service", "active running");
    fleet.machine().syncJournal();
    String journal =
        fleet
            .machine()
            .succeed("journalctl", "--unit=restarted.service", "--output=cat", "--no-pager");
    assertThat(journal.lines().filter(line -> line.startsWith("Started "))).hasSize(2);
  }

  @Test
  void aUnitIsMarkedAsLongAsItIsOnTheMachine() {
    List<String> paths =
        List.of(
            "/run/fleet/marks/marked.service",
            "/run/fleet/units/marked.service",
            "/run/systemd/system/marked.service");
    fleet.sleeper("marked.service").succeed("start", "marked.service");
    assertThat(paths).allMatch(path -> fleet.machine().run("test", "-e", path).ok());

    fleet.succeed("unload", "marked.service");

    assertThat(paths).noneMatch(path -> fleet.machine().run("test", "-L", path).ok());
    assertThat(paths).noneMatch(path -> fleet.machine().run("test", "-e", path).ok());
    assertThat(fleet.machine().property("marked.service", "LoadState")).isEqualTo("not-found");
  }

  @Test
  void aNameThatSystemdKnowsFromElsewhereIsRefusedWithItsPath() {
    String path = "/etc/systemd/system/foreign.service";
    fleet.machine().write(path, "[Service]\nExecStart=/bin/sleep 1000\n");
    fleet.machine().succeed("systemctl", "daemon-reload");
    fleet.machine().succeed("systemctl", "start", "foreign.service");
    String pid = fleet.pid("foreign.service");
    fleet.sleeper("foreign.service");

    var result = fleet.fleetctl("start", "foreign.service");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.stderr()).contains(path);
    fleet.fleetctl("destroy", "foreign.service");
    assertThat(fleet.pid("foreign.service")).isEqualTo(pid);
  }

  @Test
  void aDestroyedUnitLeavesNothing() {
    fleet.sleeper("gone.service").succeed("start", "gone.service");

    fleet.succeed("destroy", "gone.service");

    assertThat(fleet.machine().property("gone.service", "LoadState")).isEqualTo("not-found");
    assertThat(fleet.succeed("list-unit-files", "--no-legend")).doesNotContain("gone.service");
  }

  @Test
  void aSocketStartsItsService() {
    fleet.unitFile("called.socket", "[Socket]\nListenFIFO=/run/called\n");
    // Its output would be the socket too, and it would talk to itself for ever.
    fleet.unitFile(
        "called.service",
        "[Service]\nExecStart=/bin/cat\nStandardInput=socket\nStandardOutput=null\n");
    fleet.succeed("load", "called.service");
    fleet.succeed("start", "called.socket");
    assertThat(fleet.machine().property("called.service", "ActiveState")).isEqualTo("inactive");

    fleet.machine().succeed("sh", "-c", "echo hello >/run/called");

    fleet.awaitState("called.service", "active running");
  }

  @Test
  void theApiSocketIsNotForEverybody() {
    String stat = fleet.machine().succeed("stat", "-L", "-c", "%a %U", "/run/fleet.sock");
    assertThat(stat).isEqualTo("660 root");
    var result =
        fleet
            .machine()
            .run(
                "setpriv",
                "--reuid=nobody",
                "--regid=nogroup",
                "--clear-groups",
                "fleetctl",
                "list-machines");
    assertThat(result.ok()).isFalse();
    assertThat(result.stderr().lines()).hasSize(1);
  }

  /** An image that is pulled for ever, a readiness that never comes, a job that hangs. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TimeoutStartSec=0|ExecStartPre=/bin/sleep infinity|ExecStart=/bin/sleep infinity",
        "Type=notify|TimeoutStartSec=0|ExecStart=/bin/sleep infinity",
        "Type=oneshot|ExecStart=/bin/sleep infinity",
      })
  void aStartThatHangsIsEndedByStopUnloadReplaceAndDestroy(String service) {
    String name = "hangs%d.service".formatted(Integer.toUnsignedLong(service.hashCode()));
    fleet.unitFile(name, "[Service]\n" + service.replace("|", "\n") + "\n");
    for (String command : List.of("stop", "unload", "destroy")) {
      fleet.succeed("start", "--no-block", name);
      awaitStarting(name);
      fleet.succeed(command, name);
      assertThat(fleet.machine().property(name, "ActiveState")).isIn("inactive", "failed");
    }
    fleet.succeed("start", "--no-block", name);
    awaitStarting(name);
    fleet.sleeper(name).succeed("start", "--replace", name);
    assertThat(fleet.active(name)).containsExactly(name);
    fleet.succeed("destroy", name);
  }

  private void awaitStarting(String unit) {
    fleet
        .machine()
        .await(
            unit + " is starting",
            () -> fleet.machine().property(unit, "ActiveState").equals("activating"));
  }

  @Test
  void manyUnitsThatRequireAnotherRunHoweverTheyArrive() {
    fleet.sleeper("pair-cfg@.service", "MachineOf=pair@%i.service");
    fleet.unitFile(
        "pair@.service",
        """
        [Unit]
        Requires=pair-cfg@%i.service
        After=pair-cfg@%i.service
        [Service]
        ExecStart=/bin/sleep infinity
        """);
    var pairs =
        IntStream.rangeClosed(1, 100)
            .mapToObj(i -> Stream.of("pair@" + i, "pair-cfg@" + i))
            .flatMap(Function.identity());
    String[] units = pairs.toArray(String[]::new);

    fleet.succeed(with("start", units));

    assertThat(fleet.active("pair*")).hasSize(200);
    fleet.succeed(
        with(
            "destroy",
            Stream.concat(Stream.of("--yes"), Arrays.stream(units)).toArray(String[]::new)));
  }

  private static String[] with(String command, String... units) {
    return Stream.concat(Stream.of(command), Arrays.stream(units)).toArray(String[]::new);
  }

  /** The service follows the socket: otherwise the socket would go with it. */
  @Test
  void destroyingAServiceLeavesTheSocketThatItsAlsoNames() {
    fleet.unitFile("also.socket", "[Socket]\nListenStream=/run/also\n");
    fleet.unitFile(
        "also.service",
        """
        [Unit]
        Requires=also.socket
        [Service]
        ExecStart=/bin/sleep infinity
        [Install]
        WantedBy=multi-user.target
        Also=also.socket
        [X-Fleet]
        MachineOf=also.socket
        """);
    fleet.succeed("start", "also.socket", "also.service");

    fleet.succeed("destroy", "also.service");

    assertThat(fleet.machine().property("also.socket", "LoadState")).isEqualTo("loaded");
    assertThat(fleet.active("also.socket")).isNotEmpty();
    fleet.succeed("destroy", "also.socket");
  }

  @Test
  void aSliceIsReplacedAndDestroyedWithoutWhatTheAdministratorRunsInIt() {
    fleet.unitFile("tenant.slice", "[Slice]\nTasksMax=50\n");
    fleet.succeed("start", "tenant.slice");
    fleet
        .machine()
        .succeed(
            "systemd-run", "--unit=admins.service", "--slice=tenant.slice", "sleep", "infinity");
    String invocation = fleet.machine().property("admins.service", "InvocationID");

    fleet.unitFile("tenant.slice", "[Slice]\nTasksMax=70\n");
    fleet.succeed("start", "--replace", "tenant.slice");
    assertThat(fleet.machine().property("tenant.slice", "TasksMax")).isEqualTo("70");
    fleet.succeed("restart", "tenant.slice");
    fleet.succeed("destroy", "tenant.slice");

    assertThat(fleet.machine().property("tenant.slice", "FragmentPath")).isEmpty();
    assertThat(fleet.machine().property("admins.service", "ActiveState")).isEqualTo("active");
    assertThat(fleet.machine().property("admins.service", "InvocationID")).isEqualTo(invocation);
    fleet.machine().succeed("systemctl", "stop", "admins.service", "tenant.slice");
  }

  @Test
  void aUnitThatRequiresAReplacedOneRunsAgain() {
    fleet.sleeper("head.service");
    fleet.unitFile(
        "tail.service",
        """
        [Unit]
        BindsTo=head.service
        After=head.service
        [Service]
        ExecStart=/bin/sleep infinity
        """);
    fleet.succeed("start", "head.service", "tail.service");
    String before = fleet.machine().property("tail.service", "InvocationID");

    fleet.unitFile("head.service", "[Service]\nExecStart=/bin/sleep 1d\n");
    fleet.succeed("start", "--replace", "head.service");

    fleet.machine().awaitState("tail.service", "active");
    assertThat(fleet.machine().property("tail.service", "InvocationID")).isNotEqualTo(before);
    fleet.succeed("destroy", "head.service", "tail.service");
  }

  @Test
  void anAliasIsAnotherNameOfTheSameUnit() {
    fleet.unitFile(
        "named.service",
        "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nAlias=alias.service\n");
    fleet.unitFile(
        "names.service",
        "[Unit]\nRequires=alias.service\n[Service]\nExecStart=/bin/sleep infinity\n");
    fleet.succeed("start", "named.service", "names.service");

    assertThat(fleet.machine().property("alias.service", "Id")).isEqualTo("named.service");

    fleet.succeed("destroy", "names.service", "named.service");
    assertThat(fleet.machine().property("alias.service", "LoadState")).isEqualTo("not-found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ExecStart=/bin/false",
        "ExecStart=/opt/no/bin",
        "User=nobodyhere|ExecStart=/bin/true"
      })
  void aStartThatFailsAtOnceIsAFailureEachTime(String service) {
    String name = "fails%d@.service".formatted(Integer.toUnsignedLong(service.hashCode()));
    fleet.unitFile(name, "[Service]\n" + service.replace("|", "\n") + "\n");
    for (int i = 1; i <= 4; i++) {
      assertThat(fleet.fleetctl("start", name.replace("@", "@" + i)).exitCode()).isEqualTo(1);
    }
  }

  @Test
  void aUnitThatHitItsStartLimitStartsOnceItIsMended() {
    fleet.unitFile(
        "limit.service",
        """
        [Unit]
        StartLimitIntervalSec=1h
        StartLimitBurst=3
        [Service]
        Restart=on-failure
        RestartSec=10ms
        ExecStartPre=/usr/bin/test -e /run/mended
        ExecStart=/bin/sleep infinity
        """);
    assertThat(fleet.fleetctl("start", "limit.service").exitCode()).isEqualTo(1);
    fleet.machine().awaitJournal("limit.service: Start request repeated too quickly");
    fleet.machine().succeed("touch", "/run/mended");

    fleet.succeed("start", "limit.service");

    assertThat(fleet.active("limit.service")).isNotEmpty();
    fleet.succeed("destroy", "limit.service");
  }

  @Test
  void ordersDoWhatThoseOfSystemctlDo() {
    fleet
        .unitFile(
            "ordered.service",
            """
            [Service]
            ExecStart=/bin/sh -c 'trap "touch /run/ordered.hup" HUP; while :; do sleep 0.1; done'
            ExecReload=/bin/touch /run/ordered.reloaded
            """)
        .succeed("start", "ordered.service");
    String before = fleet.pid("ordered.service");

    fleet.succeed("reload", "ordered.service");
    fleet.machine().succeed("test", "-e", "/run/ordered.reloaded");
    fleet.succeed("kill", "-s", "HUP", "--kill-whom=main", "ordered.service");
    fleet
        .machine()
        .await("the signal", () -> fleet.machine().run("test", "-e", "/run/ordered.hup").ok());
    assertThat(fleet.succeed("is-active", "ordered")).isEqualToIgnoringNewLines("active");
    assertThat(fleet.pid("ordered.service")).isEqualTo(before);

    fleet.succeed("stop", "ordered.service");
    assertThat(fleet.fleetctl("is-active", "ordered").exitCode()).isEqualTo(3);
  }

  /** Freezing takes control groups of version 2: without these, systemd says so. */
  @Test
  void aUnitIsFrozenIfTheMachineCanFreezeUnits() {
    fleet.sleeper("icy.service").succeed("start", "icy.service");
    var there = fleet.machine().run("systemctl", "freeze", "icy.service");
    fleet.machine().run("systemctl", "thaw", "icy.service");

    var here = fleet.fleetctl("freeze", "icy.service");

    assertThat(here.exitCode()).isEqualTo(there.exitCode());
    assertThat(here.stderr()).contains(there.stderr().strip());
    assertThat(fleet.machine().property("icy.service", "FreezerState"))
        .isEqualTo(there.ok() ? "frozen" : "running");
    fleet.machine().run("systemctl", "thaw", "icy.service");
  }

  @Test
  void exitCodesAndWordsOfOrdersAreThoseOfSystemctl() {
    fleet.sleeper("plain.service").succeed("start", "plain.service");
    var there = fleet.machine().run("systemctl", "reload", "plain.service");

    var here = fleet.fleetctl("reload", "plain.service");

    assertThat(there.ok()).isFalse();
    assertThat(here.exitCode()).isEqualTo(there.exitCode());
    assertThat(here.stderr()).contains(there.stderr().strip());
  }

  @Test
  void aFailureIsAskedForAndForgotten() {
    fleet.unitFile("spent.service", "[Service]\nExecStart=/bin/false\n");
    assertThat(fleet.fleetctl("start", "spent.service").exitCode()).isEqualTo(1);
    fleet.awaitState("spent.service", "failed failed");

    assertThat(fleet.succeed("is-failed", "spent")).isEqualToIgnoringNewLines("failed");
    // systemd has nothing in memory of a unit that was never started.
    fleet.sleeper("spent-not.service").succeed("load", "spent-not.service");
    fleet.succeed("reset-failed", "spent*");

    fleet.awaitState("spent.service", "inactive dead");
    assertThat(fleet.fleetctl("is-failed", "spent").exitCode()).isEqualTo(1);
    assertThat(fleet.fleetctl("is-active", "-q", "nowhere").exitCode()).isEqualTo(4);
  }
}
