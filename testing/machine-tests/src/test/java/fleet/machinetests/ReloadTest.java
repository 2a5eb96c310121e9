package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * fleet has systemd reload only if it must, and leaves no unit of the machine that waits for a
 * reload. On machines of its own: any reload makes systemd forget that it should.
 */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReloadTest {

  private static final int MANY = 300;

  private final OperatingSystem system;
  private JoinedCluster cluster;
  private FleetMachine server;
  private FleetMachine joined;

  ReloadTest(OperatingSystem system) {
    this.system = system;
  }

  /** The one that joined also has the service that stops units of an isolated machine. */
  @BeforeAll
  void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, system, 1, "on_isolation=stop");
    server = cluster.server();
    joined = cluster.joined(1);
  }

  @AfterEach
  void destroy() {
    cluster.members().destroyAll();
    both().forEach(one -> one.machine().succeed("systemctl", "daemon-reload"));
  }

  private Stream<FleetMachine> both() {
    return Stream.of(server, joined);
  }

  @Test
  void manyUnitsComeAndGoWithoutAReload() {
    server.sleeper("many@.service");
    List<String> reloads = reloads();

    server.succeed(many("start"));
    assertThat(cluster.members().running("many@*")).hasSize(MANY);
    assertThat(reloads()).isEqualTo(reloads);

    server.succeed(many("destroy", "--yes"));
    assertThat(reloads()).isEqualTo(reloads);
    assertNoUnitWaitsForAReload();
  }

  private static String[] many(String... command) {
    return Stream.concat(
            Stream.of(command),
            IntStream.rangeClosed(1, MANY).mapToObj(i -> "many@" + i + ".service"))
        .toArray(String[]::new);
  }

  /** When each systemd last read its unit files: 0 until its first reload. */
  private List<String> reloads() {
    return both()
        .map(one ->
            one.machine()
                .succeed("systemctl", "show", "--property=UnitsLoadTimestampMonotonic", "--value"))
        .toList();
  }

  @Test
  void eachCommandLeavesNoUnitThatWaitsForAReload() {
    server.sleeper("plain@.service");
    run("load", "plain@1", "plain@2");
    run("start", "plain@1", "plain@2");
    run("stop", "plain@1");
    run("restart", "plain@1", "plain@2");
    run("unload", "plain@1");
    run("start", "plain@1");
    server.unitFile("plain@.service", "[Service]\nExecStart=/bin/sleep 1000000\n");
    run("rollout", "--healthy=1", "plain@.service");
    run("destroy", "plain@1", "plain@2");
  }

  @Test
  void eachCommandWithAnInstallSectionLeavesNoUnitThatWaitsForAReload() {
    server.unitFile(
        "wanted@.service",
        "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n");
    run("start", "wanted@1", "wanted@2");
    run("stop", "wanted@1");
    run("unload", "wanted@1");
    run("destroy", "wanted@1", "wanted@2");
  }

  @Test
  void aServiceThatGoesBeforeItsSocketLeavesNoUnitThatWaitsForAReload() {
    server.unitFile("called.socket", "[Socket]\nListenFIFO=/run/called\n");
    server.unitFile(
        "called.service",
        """
        [Service]
        ExecStart=/bin/cat
        StandardInput=socket
        StandardOutput=null
        [X-Fleet]
        MachineOf=called.socket
        """);
    run("load", "called.socket", "called.service");
    run("start", "called.socket");
    run("destroy", "called.service");
    // The socket still names it, and systemd may have it in memory.
    run("load", "called.service");
    run("destroy", "called.service");
    run("destroy", "called.socket");
  }

  @Test
  void afterFleetdWasKilledNoUnitWaitsForAReload() {
    server.sleeper("kept@.service");
    run("start", "kept@1", "kept@2");

    both().forEach(FleetMachine::killFleetd);
    cluster.members().awaitListed();

    assertNoUnitWaitsForAReload();
    run("start", "kept@3", "kept@4");
    run("destroy", "kept@1", "kept@2", "kept@3", "kept@4");
  }

  @Test
  void afterAHandoverNoUnitWaitsForAReload() {
    server.sleeper("moved@.service");
    run("start", "moved@1", "moved@2");

    joined.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    cluster.members().awaitRunning("moved@*", 2, List.of(server));

    assertNoUnitWaitsForAReload();
    joined.machine().succeed("systemctl", "start", "fleet.service");
    cluster.members().awaitListed();
    assertNoUnitWaitsForAReload();
  }

  private void run(String... command) {
    server.succeed(command);
    assertThat(waiting()).as(String.join(" ", command)).isEmpty();
  }

  private void assertNoUnitWaitsForAReload() {
    assertThat(waiting()).isEmpty();
  }

  /** The units of both machines that systemd says are changed on disk, fleet's and all others. */
  private List<String> waiting() {
    return both()
        .flatMap(one ->
            Arrays.stream(
                one.machine()
                    .succeed("systemctl", "show", "--all", "*", "--property=Id,NeedDaemonReload")
                    .split("\n\n", -1)))
        .filter(unit -> unit.contains("NeedDaemonReload=yes"))
        .toList();
  }
}
