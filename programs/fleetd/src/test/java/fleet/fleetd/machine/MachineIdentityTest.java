package fleet.fleetd.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.fleetd.FleetdVersion;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineIdentityTest {
  @TempDir Path root;

  @BeforeEach
  void files() throws IOException {
    write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    write("proc/sys/kernel/random/boot_id", "7d1c3d20-0000-4000-8000-000000000000\n");
  }

  @Test
  void machineIsReadFromItsFilesAndConfiguration() throws Exception {
    write("proc/stat", "cpu  7 7\ncpu0 4 4\ncpu1 3 3\nintr 5\n");
    write("proc/meminfo", "MemTotal:       24684088 kB\nMemFree:         1 kB\n");
    write("proc/sys/kernel/pid_max", "4194304\n");
    write("proc/sys/kernel/threads-max", "192837\n");
    write("proc/sys/kernel/hostname", "node1.example\n");

    Machine machine = read(Map.of("FLEET_PUBLIC_IP", "192.0.2.1", "FLEET_METADATA", "region=eu"));

    assertThat(machine)
        .isEqualTo(
            new Machine(
                "0123456789abcdef0123456789abcdef",
                "7d1c3d20-0000-4000-8000-000000000000",
                "192.0.2.1",
                Map.of("region", "eu"),
                FleetdVersion.current(),
                Isolation.KEEP,
                new Resources(2000, 24_684_088L << 10, machine.total().disk(), 192_837),
                new Resources(
                    0, (24_684_088L << 10) / 20, machine.total().disk() / 20, 192_837 / 20),
                "node1.example",
                machine.architecture(),
                Optional.empty()));
    assertThat(machine.architecture()).isIn("x86_64", "aarch64");
    assertThat(machine.total().disk()).isPositive();
  }

  @Test
  void whatTheMachineHasAndKeepsMayBeTold() throws Exception {
    write("proc/stat", "cpu  7 7\ncpu0 4 4\ncpu1 3 3\nintr 5\n");
    write("proc/meminfo", "MemTotal:       8388608 kB\n");

    Machine machine =
        read(
            Map.of(
                "FLEET_MACHINE_CORES",
                "50%",
                "FLEET_MACHINE_MEMORY",
                "4G",
                "FLEET_MACHINE_DISK",
                "10G",
                "FLEET_MACHINE_TASKS",
                "1000",
                "FLEET_KEEP_CORES",
                "0.25",
                "FLEET_KEEP_MEMORY",
                "25%",
                "FLEET_KEEP_DISK",
                "0",
                "FLEET_KEEP_TASKS",
                "100"));

    assertThat(machine.total()).isEqualTo(new Resources(1000, 4L << 30, 10L << 30, 1000));
    assertThat(machine.kept()).isEqualTo(new Resources(250, 1L << 30, 0, 100));
  }

  @Test
  void whatTheSystemDoesNotTellIsNotKnown() throws Exception {
    assertThat(read(Map.of()).total().cpuMillis()).isZero();
    assertThat(read(Map.of()).total().memory()).isZero();
  }

  /** One that the leader would refuse would keep the machine out of the cluster. */
  @Test
  void aHostnameIsOneLineAndNotLong() throws Exception {
    write("proc/sys/kernel/hostname", "node\033[2J" + "x".repeat(100) + "\n");

    assertThat(read(Map.of()).hostname()).startsWith("node\\x1b[2J").hasSize(64);
    assertThat(read(Map.of()).objection()).isEmpty();
  }

  @Test
  void withoutDefaultRouteNoAddressIsPublished() throws Exception {
    assertThat(read(Map.of()).publicIp()).isEmpty();
  }

  @Test
  void loopbackIsNotPublishedEvenWhereTheDefaultRouteLeadsThere() throws Exception {
    write("proc/net/route", "heading\nlo\t00000000\t0\t0001\t0\t0\t0\t00000000\t0\t0\t0\n");

    assertThat(read(Map.of()).publicIp()).isEmpty();
  }

  @Test
  void firstAddressThatOthersCanReachIsPublished() throws Exception {
    assertThat(
            PublicAddress.first(
                List.of(
                    InetAddress.ofLiteral("::1"),
                    InetAddress.ofLiteral("2001:db8::1"),
                    InetAddress.ofLiteral("127.0.0.1"),
                    InetAddress.ofLiteral("169.254.1.1"),
                    InetAddress.ofLiteral("224.0.0.1"),
                    InetAddress.ofLiteral("10.0.0.7"),
                    InetAddress.ofLiteral("192.0.2.7"))))
        .contains("10.0.0.7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "uninitialized\n"})
  void machineWithoutIdIsToldHowToGetOne(String content) throws Exception {
    write("etc/machine-id", content);

    assertThatThrownBy(() -> read(Map.of()))
        .isInstanceOf(UnidentifiedMachineException.class)
        .hasMessage(
            root.resolve("etc/machine-id")
                + " holds no id for this machine: run systemd-machine-id-setup");
  }

  @Test
  void missingFileIsNamed() throws Exception {
    Files.delete(root.resolve("etc/machine-id"));

    assertThatThrownBy(() -> read(Map.of()))
        .isInstanceOf(UnidentifiedMachineException.class)
        .hasMessage(
            root.resolve("etc/machine-id")
                + " cannot be read, so this machine has no id: run systemd-machine-id-setup");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "two words", "../x"})
  void textThatIsNoIdIsRefused(String content) throws Exception {
    write("etc/machine-id", content);

    assertThatThrownBy(() -> read(Map.of()))
        .isInstanceOf(UnidentifiedMachineException.class)
        .hasMessageContaining("holds no machine id but other text");
  }

  @Test
  void unreadableBootIdIsNamed() throws Exception {
    Files.delete(root.resolve("proc/sys/kernel/random/boot_id"));

    assertThatThrownBy(() -> read(Map.of()))
        .isInstanceOf(UnidentifiedMachineException.class)
        .hasMessageContaining("mount /proc");
  }

  private Machine read(Map<String, String> environment) throws Exception {
    Configuration configuration =
        new ConfigurationReader(environment, Map.of(), root.resolve("fleet.conf"))
            .read(Optional.empty())
            .configuration();
    return new MachineIdentity(root, FleetdVersion.current()).read(configuration);
  }

  private void write(String path, String content) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), content);
  }
}
