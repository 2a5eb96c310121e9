package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BootedMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import fleet.testkit.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The first command of a newcomer, if systemd runs the machine. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DevUpTest {

  private static final String CHECKOUT = "/srv/fleet/";

  private final OperatingSystem system;
  private BootedMachine machine;

  DevUpTest(OperatingSystem system) {
    this.system = system;
  }

  /** The command needs these parts of a checkout in which target/fleet is built. */
  @BeforeAll
  void copyTheCheckout(Machines machines) throws IOException {
    machine = machines.boot(system, 1).getFirst();
    Path root = Path.of(System.getProperty("fleet.root", "../.."));
    for (String part : List.of("dev", "build/scripts", "examples")) {
      try (Stream<Path> files = Files.walk(root.resolve(part))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          machine.write(CHECKOUT + root.relativize(file), Files.readString(file));
        }
      }
    }
    machine.succeed("mkdir", CHECKOUT + "target");
    machine.succeed("ln", "-s", "/opt/fleet", CHECKOUT + "target/fleet");
  }

  @Test
  void showsTheExamplesUnderTheSystemsSystemdAndLeavesNothing() {
    Result result = machine.run("bash", CHECKOUT + "dev", "up", "--once").orThrow();

    assertThat(result.stdout()).contains("fleet-example-web@2.service").contains("running");
    assertThat(exampleUnits()).isEmpty();
    assertThat(machine.run("sh", "-c", "ls -d /run/fleet*").stdout()).isEmpty();
  }

  @Test
  void worksForAPlainUserUnderTheirOwnSystemd() {
    machine.succeed("useradd", "--create-home", "newcomer");
    // Our commands are in no control group of the machine, and logind of Debian 13 refuses those.
    machine.succeed("systemd-run", "--quiet", "--wait", "loginctl", "enable-linger", "newcomer");
    String home = "/run/user/" + machine.succeed("id", "-u", "newcomer");
    machine.await(
        "the user's systemd", () -> machine.run("test", "-S", home + "/systemd/private").ok());

    machine
        .run("runuser", "-u", "newcomer", "--", "bash", CHECKOUT + "dev", "up", "--once")
        .orThrow();

    assertThat(machine.run("sh", "-c", "ls -d " + home + "/fleet*").stdout()).isEmpty();
  }

  @Test
  void cleansUpAfterARunThatWasKilled() {
    String unit = "--unit=killed-up";
    machine.succeed("systemd-run", unit, "-p", "KillMode=process", "bash", CHECKOUT + "dev", "up");
    machine.awaitJournal("following fleet-example-hello");
    machine.succeed("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "killed-up");
    assertThat(exampleUnits()).isNotEmpty();

    Result next = machine.run("bash", CHECKOUT + "dev", "up", "--once").orThrow();

    assertThat(next.stderr()).contains("cleaning up after an earlier run");
    assertThat(exampleUnits()).isEmpty();
  }

  private String exampleUnits() {
    return machine.succeed("systemctl", "list-units", "--all", "--no-legend", "fleet-example-*");
  }
}
