package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The packages for Debian that {@code ./dev package} makes, by the commands of docs/install.md:
 * from nothing to a cluster, an upgrade, and nothing again. {@link RollingUpgradeTest} upgrades a
 * whole cluster.
 */
@ExtendWith(MachinesExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PackagesTest {

  private static final int COUNT = 4;

  private static FleetMachine server;
  private static FleetMachine agent;

  @BeforeAll
  static void install(Machines machines) throws IOException {
    List<FleetMachine> booted = machines.boot(2).stream().map(FleetMachine::new).toList();
    server = booted.get(0);
    agent = booted.get(1);
    Path built = BuiltPackage.fleet();
    for (FleetMachine one : booted) {
      Files.copy(built, one.machine().path("/root/fleet.deb"));
    }
    BackgroundTasks.each(
        booted,
        one -> {
          // It keeps packages from starting services in a container.
          one.machine().succeed("rm", "-f", "/usr/sbin/policy-rc.d");
          run(one, "apt-get install --yes /root/fleet.deb");
        });
  }

  private static String existing(FleetMachine one, String... paths) {
    return one.machine()
        .run(Stream.concat(Stream.of("ls", "-d"), Stream.of(paths)).toArray(String[]::new))
        .stdout();
  }

  /** Machines of tests have another fleet on their path, in /opt. */
  private static String run(FleetMachine one, String line) {
    return one.machine()
        .run(
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "sh",
            "-ec",
            "cd /root; " + line)
        .orThrow()
        .stdout();
  }

  @Test
  @Order(1)
  void theInstallationLeavesARunningFleetd() {
    assertThat(run(server, "systemctl is-active fleet.socket fleet.service").lines())
        .containsOnly("active");
    assertThat(run(server, "systemctl is-enabled fleet.socket fleet.service").lines())
        .containsOnly("enabled");
    assertThat(run(server, "fleetctl list-machines")).contains(server.machine().address());
    assertThat(server.machine().read("/proc/" + server.pid("fleet.service") + "/maps"))
        .as("the start-up cache that the installation made")
        .contains("/var/cache/fleet/fleetd.jsa");
    assertThat(run(server, "man -w fleetctl-drain; getent group fleet")).contains("fleet:x:");
  }

  @Test
  @Order(2)
  void aMachineJoinsByItsConfiguration() {
    String token = run(server, "fleetctl token create").strip();

    run(
        agent,
        "printf 'join=%s\\ntoken=%s\\n' >>/etc/fleet/fleet.conf && systemctl restart fleet"
            .formatted(server.machine().address(), token));

    server.machine().await("two machines", () -> machinesListed() == 2);
  }

  private static long machinesListed() {
    return run(server, "fleetctl list-machines --no-legend").lines().count();
  }

  @Test
  @Order(3)
  void anUpgradeRestartsNoUnit() {
    server.sleeper("packed@.service");
    run(server, "fleetctl start packed@1 packed@2 packed@3 packed@4");
    assertThat(agent.active("packed@*")).isNotEmpty();
    var members = new Members(List.of(server, agent));
    Map<String, String> before = members.processes("packed@*");
    String fleetd = server.pid("fleet.service");

    run(server, BuiltPackage.MAKE_NEWER + " && apt-get install --yes /root/newer.deb");

    assertThat(server.pid("fleet.service")).isNotEqualTo(fleetd);
    server.machine().await("two machines", () -> machinesListed() == 2);

    assertThat(members.processes("packed@*")).isEqualTo(before);
  }

  @Test
  @Order(4)
  void removingMovesTheUnitsToOthersAndAMachineAloneKeepsThem() {
    run(agent, "apt-get remove --yes fleet");

    assertThat(agent.active("packed@*")).isEmpty();
    server.machine().await("all units", () -> server.active("packed@*").size() == COUNT);

    run(server, "apt-get purge --yes fleet");
    assertThat(server.active("packed@*")).hasSize(COUNT);
    assertThat(existing(server, "/var/lib/fleet", "/etc/fleet/fleet.conf", "/var/cache/fleet"))
        .isEmpty();
    for (FleetMachine one : List.of(server, agent)) {
      assertThat(existing(one, "/usr/lib/fleet", "/run/fleet.sock")).isEmpty();
    }
  }
}
