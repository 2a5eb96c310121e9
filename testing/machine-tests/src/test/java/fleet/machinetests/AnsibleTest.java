package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Ansible;
import fleet.testkit.BootedMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The role for Ansible in contrib/ansible makes a cluster of Debian 13 machines. */
@ExtendWith(MachinesExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AnsibleTest {

  private static final Path PROJECT =
      Path.of(System.getProperty("fleet.root", "../.."), "contrib", "ansible").toAbsolutePath();
  private static final Pattern CHANGED = Pattern.compile("changed=(\\d+) ");

  @TempDir private static Path folder;

  private static List<BootedMachine> booted;
  private static Ansible ansible;

  @BeforeAll
  static void boot(Machines machines) {
    booted = machines.boot(OperatingSystem.DEBIAN_13, 3);
    ansible =
        Ansible.of(
            PROJECT,
            folder,
            booted,
            List.of("fleet_package=" + BuiltPackage.fleet().toAbsolutePath()));
  }

  @Test
  @Order(1)
  void theFirstRunMakesACluster() {
    ansible.play("fleet.yml", "--extra-vars", "{\"fleet_serial\": [1, 2]}");

    String listed = booted.getFirst().succeed("/usr/bin/fleetctl", "list-machines", "--no-legend");
    assertThat(listed.lines())
        .hasSize(3)
        .allMatch(line -> booted.stream().anyMatch(one -> line.contains(one.address())));
    assertThat(booted.getLast().read("/etc/fleet/fleet.conf"))
        .contains("join=" + booted.getFirst().address())
        .doesNotContain("token");
  }

  @Test
  @Order(2)
  void theSecondRunChangesNothing() {
    String pid = booted.getLast().property("fleet.service", "MainPID");

    String recap = ansible.play("fleet.yml", "--extra-vars", "fleet_serial=3");

    assertThat(CHANGED.matcher(recap).results().map(one -> one.group(1)))
        .containsExactly("0", "0", "0");
    assertThat(booted.getLast().property("fleet.service", "MainPID")).isEqualTo(pid);
  }
}
