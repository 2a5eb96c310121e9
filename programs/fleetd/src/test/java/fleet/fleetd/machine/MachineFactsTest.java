package fleet.fleetd.machine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.fleetd.FleetdVersion;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {
  @TempDir Path root;
  private final List<Machine> told = new ArrayList<>();
  private MachineFacts facts;

  @BeforeEach
  void read() throws Exception {
    write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    write("proc/sys/kernel/random/boot_id", "7d1c3d20-0000-4000-8000-000000000000\n");
    write("proc/stat", "cpu0 4 4\n");
    facts =
        MachineFacts.read(
            new MachineIdentity(root, FleetdVersion.current()), configuration("192.0.2.1"));
    facts.onChange(told::add);
  }

  @Test
  void nobodyIsToldOfWhatHasNotChanged() {
    facts.lookAgain();

    assertThat(told).isEmpty();
  }

  @Test
  void processorsThatComeAreTold() throws Exception {
    write("proc/stat", "cpu0 4 4\ncpu1 4 4\n");

    facts.lookAgain();

    assertThat(told).containsExactly(facts.machine());
    assertThat(facts.machine().total().cpuMillis()).isEqualTo(2000);
    assertThat(facts.machine().publicIp()).as("configured").isEqualTo("192.0.2.1");
  }

  @Test
  void anAddressThatIsConfiguredAgainIsTold() throws Exception {
    facts.reconfigure(configuration("192.0.2.2"));

    assertThat(told).extracting(Machine::publicIp).containsExactly("192.0.2.2");
  }

  @Test
  void theMachineStaysTheSameWhateverItsFilesSay() throws Exception {
    write("etc/machine-id", "anothermachine\n");
    write("proc/stat", "cpu0 4 4\ncpu1 4 4\n");

    facts.lookAgain();

    assertThat(facts.machine().id()).isEqualTo("0123456789abcdef0123456789abcdef");
  }

  @Test
  void anAddressThatIsStillThereOutlastsTheDefaultRoute() throws Exception {
    facts.reconfigure(configuration("127.0.0.1"));

    facts.reconfigure(configuration(""));
    assertThat(facts.machine().publicIp()).isEqualTo("127.0.0.1");

    facts.reconfigure(configuration("192.0.2.1"));
    facts.reconfigure(configuration(""));
    assertThat(facts.machine().publicIp()).isEmpty();
  }

  private Configuration configuration(String address) throws Exception {
    return new ConfigurationReader(
            Map.of("FLEET_PUBLIC_IP", address), Map.of(), root.resolve("fleet.conf"))
        .read(Optional.empty())
        .configuration();
  }

  private void write(String path, String content) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), content);
  }
}
