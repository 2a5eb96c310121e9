package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BootedMachine;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import fleet.testkit.Result;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * fleetctl reaches machines and fleetd through OpenSSH. The second machine is the laptop, whose key
 * all machines take. It knows the keys of two hosts, and may ask about the third.
 */
@Order(1)
@ExtendWith(MachinesExtension.class)
class SshOnMachinesTest {

  private static FleetMachine server;
  private static FleetMachine laptop;
  private static FleetMachine third;

  @BeforeAll
  static void boot(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, OperatingSystem.DEBIAN_13, 2);
    server = cluster.server();
    laptop = cluster.joined(1);
    third = cluster.joined(2);
    laptop.machine().succeed("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "/root/key");
    String key = laptop.machine().read("/root/key.pub") + "\n";
    for (FleetMachine one : List.of(server, laptop, third)) {
      one.machine().write("/root/.ssh/authorized_keys", key);
      one.machine().succeed("ssh-keygen", "-A");
      one.machine().succeed("systemctl", "start", "ssh.service");
    }
    laptop.machine().write("/root/.ssh/config", "Host *\n  IdentityFile /root/key\n");
    laptop.machine().write("/root/.ssh/known_hosts", known(server, server) + known(third, third));
    server.sleeper("there.service", "MachineID=" + third.machine().id());
    server.succeed("start", "there.service");
  }

  /** A line that says which key a host has. */
  private static String known(FleetMachine host, FleetMachine keeper) {
    String key = keeper.machine().read("/etc/ssh/ssh_host_ed25519_key.pub");
    return host.machine().address() + " " + key.strip() + "\n";
  }

  private static Result ssh(String... arguments) {
    return laptop.fleetctl(
        Stream.concat(Stream.of("ssh"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static String name(FleetMachine machine) {
    return machine.machine().name();
  }

  @Test
  void aCommandRunsOnTheMachineOfAUnitAndItsExitStatusIsOurs() {
    Result ran = ssh("--unit", "there", "--", "hostname;", "exit", "7");

    assertThat(ran.exitCode()).isEqualTo(7);
    assertThat(ran.stdout()).isEqualTo(name(third));
    assertThat(ssh("there", "tty").stdout()).isEqualTo("not a tty");
  }

  @Test
  void aShellHasATerminalAndItsExitStatusIsOurs() {
    BootedMachine machine = laptop.machine();

    Result ran =
        machine.run(
            "sh",
            "-c",
            "echo 'tty; exit 7' | script -qec 'fleetctl ssh %s' /dev/null".formatted(name(third)));

    assertThat(ran.stdout()).contains("/dev/pts/");
    assertThat(ran.exitCode()).isEqualTo(7);
  }

  @Test
  void anUnknownHostIsAskedAboutAndRemembered() {
    Result refused = ssh("--machine", name(laptop), "true");
    assertThat(refused.exitCode()).isEqualTo(255);
    assertThat(refused.stderr()).contains("Host key verification failed.");
    laptop.machine().write("/root/yes", "#!/bin/sh\necho \"$1\" >/root/question\necho yes\n");
    laptop.machine().succeed("chmod", "755", "/root/yes");

    laptop
        .machine()
        .succeed(
            "env",
            "SSH_ASKPASS=/root/yes",
            "SSH_ASKPASS_REQUIRE=force",
            "fleetctl",
            "ssh",
            "--machine",
            name(laptop),
            "true");

    assertThat(laptop.machine().read("/root/question")).contains("authenticity of host");
    laptop
        .machine()
        .succeed(
            "ssh-keygen", "-F", laptop.machine().address(), "-f", "/root/.fleetctl/known_hosts");
    assertThat(ssh("--machine", name(laptop), "true").ok()).isTrue();
  }

  @Test
  void aHostWithAnotherKeyIsRefused() {
    laptop.machine().write("/root/changed", known(third, server));

    Result ran =
        laptop.fleetctl(
            "--known-hosts-file=/root/changed", "ssh", "--machine", name(third), "true");

    assertThat(ran.exitCode()).isEqualTo(255);
    assertThat(ran.stderr()).contains("REMOTE HOST IDENTIFICATION HAS CHANGED");
    assertThat(ran.stdout()).isEmpty();
  }

  @Test
  void aTunnelLeadsToMachinesAndToFleetd() {
    String tunnel = "--tunnel=" + server.machine().address();

    Result ran =
        laptop.fleetctl(tunnel, "ssh", "--machine", name(third), "--", "echo", "$SSH_CONNECTION");

    assertThat(ran.stdout()).startsWith(server.machine().address() + " ");
    assertThat(laptop.succeed(tunnel, "list-units")).contains("there.service");
  }

  @Test
  void anEndpointNamesTheHostAndNothingIsLeftThere() {
    String endpoint = "--endpoint=ssh://root@" + server.machine().address();

    assertThat(laptop.succeed(endpoint, "list-units")).contains("there.service");
    Result first =
        laptop
            .machine()
            .run("sh", "-c", "fleetctl %s events -f --since=all | head -n 1".formatted(endpoint));

    assertThat(first.stdout()).isNotEmpty();
    server
        .machine()
        .await("no connection", () -> !server.machine().run("pgrep", "-f", "fd-forward").ok());
  }
}
