package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Ansible;
import fleet.testkit.BootedMachine;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.OperatingSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The role for Ansible in contrib/ansible makes a cluster of Debian 13 machines, and upgrades it.
 */
@ExtendWith(MachinesExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AnsibleTest {

  private static final Path PROJECT =
      Path.of(System.getProperty("fleet.root", "../.."), "contrib", "ansible").toAbsolutePath();

  /** Fast to install: nearly all of that time goes into the start-up caches. */
  private static final String MAKE_FAST =
      """
      cd /root; dpkg-deb -R built.deb fast
      for list in fast/usr/lib/fleet/lib/*.classes.gz; do
        gzip -dc $list | head -n 1000 >few; gzip -c few >$list
      done
      dpkg-deb -Znone --build fast fleet.deb
      """;

  private static final Pattern CHANGED = Pattern.compile("changed=(\\d+) ");

  @TempDir private static Path folder;

  private static List<BootedMachine> booted;
  private static Ansible ansible;

  @BeforeAll
  static void boot(Machines machines) throws IOException {
    booted = machines.boot(OperatingSystem.DEBIAN_13, 3);
    Files.copy(BuiltPackage.fleet(), packed("built.deb"));
    booted.getFirst().succeed("sh", "-ec", MAKE_FAST + BuiltPackage.MAKE_NEWER);
    ansible = Ansible.of(PROJECT, folder, booted, List.of("fleet_package=" + packed("fleet.deb")));
  }

  private static Path packed(String file) {
    return booted.getFirst().path("/root/" + file);
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

  @Test
  @Order(3)
  void anUpgradeTakesOneMachineAfterTheOtherAndRestartsNoUnit() {
    List<FleetMachine> machines = booted.stream().map(FleetMachine::new).toList();
    FleetMachine server = machines.getFirst();
    server
        .sleeper("kept@.service", "Conflicts=kept@*")
        .succeed("start", "kept@1", "kept@2", "kept@3");
    var members = new Members(machines);
    Map<String, String> before = members.processes("kept@*");

    ansible.play("fleet.yml", "--extra-vars", "fleet_package=" + packed("newer.deb"));

    for (BootedMachine one : booted) {
      assertThat(one.succeed("dpkg-query", "--show", "--showformat=${Version}", "fleet"))
          .endsWith(".1");
    }
    assertThat(members.processes("kept@*")).hasSize(3).isEqualTo(before);
    assertThat(server.succeed("status")).startsWith("Cluster is healthy");
  }
}
