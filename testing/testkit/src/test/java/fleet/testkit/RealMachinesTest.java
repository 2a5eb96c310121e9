package fleet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RealMachinesTest {

  private static Machines machines;
  private static BootedMachine first;
  private static BootedMachine second;

  @BeforeAll
  static void bootTwo() {
    machines = Machines.create(Optional.empty());
    List<BootedMachine> both = machines.boot(2);
    first = both.getFirst();
    second = both.getLast();
  }

  @AfterAll
  static void removeThem() {
    machines.close();
  }

  @Test
  void areBootedSystemdsOfTheirOwn() {
    assertThat(first.read("/proc/1/comm")).isEqualTo("systemd");
    assertThat(first.succeed("cat", "/etc/machine-id")).isEqualTo(first.id());
    assertThat(second.succeed("hostname")).isEqualTo(second.name());
    assertThat(first.run("systemctl", "is-system-running").stdout()).isEqualTo("running");
  }

  @Test
  void haveNoJava() {
    assertThat(first.run("sh", "-c", "java -version").exitCode()).isEqualTo(127);
  }

  @Test
  void reachEachOtherUnlessTheNetworkIsCut() {
    assertThat(reaches(first, second)).isTrue();
    second.cut();
    assertThat(reaches(first, second)).isFalse();
    second.join();
    assertThat(reaches(first, second)).isTrue();
  }

  @Test
  void keepTheirNetworkWhenTheyAreBootedThoughTheyRun() {
    second.boot();

    assertThat(reaches(first, second)).isTrue();
  }

  @Test
  void keepTheirDiskWhenThePowerIsCut() {
    try (Machines own = Machines.create(Optional.empty())) {
      BootedMachine machine = own.boot();
      machine.write("/etc/kept", "as it was\n");
      machine.succeed("systemd-cat", "echo", "a line of the first boot");
      machine.succeed("journalctl", "--sync");
      machine.powerOff();
      assertThat(machine.isUp()).isFalse();
      assertThat(machine.journal()).contains("a line of the first boot");
      machine.boot();
      assertThat(machine.read("/etc/kept")).isEqualTo("as it was");
    }
  }

  @Test
  void runDebian13OnRequestAndAfterAnotherProcessBootsThem() {
    String name = "test of " + ProcessHandle.current().pid();
    try (Machines own = Machines.keep(name, Optional.empty())) {
      BootedMachine machine = own.boot(OperatingSystem.DEBIAN_13, 1).getFirst();
      assertRunsDebian13(machine);
      machine.powerOff();

      BootedMachine found =
          Machines.kept(name, Optional.empty()).orElseThrow().get(1).orElseThrow();

      assertRunsDebian13(found.boot());
    }
  }

  private static void assertRunsDebian13(BootedMachine machine) {
    assertThat(machine.read("/etc/os-release")).contains("VERSION_ID=\"13\"");
    assertThat(machine.succeed("systemctl", "--version")).startsWith("systemd 257");
    assertThat(machine.run("systemctl", "is-system-running").stdout()).isEqualTo("running");
    assertThat(machine.succeed("stat", "-fc", "%T", "/sys/fs/cgroup")).isEqualTo("cgroup2fs");
    assertThat(machine.run("sh", "-c", "java -version").exitCode()).isEqualTo(127);
  }

  @Test
  void captureWhatACommandSays() {
    Result result = first.run("sh", "-c", "echo out; echo err >&2; exit 3");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.stdout()).isEqualTo("out");
    assertThat(result.stderr()).isEqualTo("err");
  }

  @Test
  void tellWhenALineComesIntoTheJournal() {
    first.succeed("systemd-run", "--on-active=300ms", "echo", "the awaited line");
    assertThat(first.awaitJournal("the awaited line")).contains("the awaited line");
  }

  @Test
  void leaveNothingBehind() {
    String name;
    try (Machines own = Machines.create(Optional.empty())) {
      name = own.boot().name();
      assertThat(hostShows(name)).isTrue();
    }
    assertThat(hostShows(name)).isFalse();
  }

  private static boolean hostShows(String name) {
    return Command.of(
            "sh", "-c", "cat /proc/mounts; ip -o link; find /sys/fs/cgroup -name '*" + name + "'")
        .run()
        .stdout()
        .contains(name.substring(0, name.indexOf('-')));
  }

  private static boolean reaches(BootedMachine from, BootedMachine to) {
    return from.run("timeout", "2", "bash", "-c", "exec 3<>/dev/tcp/" + to.address() + "/1 2>&1")
        .toString()
        .contains("refused");
  }
}
