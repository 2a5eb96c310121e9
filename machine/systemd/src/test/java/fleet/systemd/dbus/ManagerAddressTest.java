package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagerAddressTest {

  @TempDir Path root;

  private Path make(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  @Test
  void rootUsesThePrivateSocketAndOthersTheBus() throws IOException {
    Files.createDirectories(root.resolve("run/systemd/system"));
    Path privateSocket = make("run/systemd/private");
    Path bus = make("run/dbus/system_bus_socket");

    assertThat(ManagerLookup.ofSystem(root, 0))
        .isEqualTo(new ManagerAddress.PrivateSocket(privateSocket));
    assertThat(ManagerLookup.ofSystem(root, 1000)).isEqualTo(new ManagerAddress.Bus(bus));
  }

  @Test
  void saysThatThereIsNoSystemd() {
    assertThatThrownBy(() -> ManagerLookup.ofSystem(root, 0))
        .isInstanceOf(SystemdException.class)
        .hasMessageContaining("/run/systemd/system does not exist");
  }

  @Test
  void saysThatThereIsNoBus() throws IOException {
    Files.createDirectories(root.resolve("run/systemd/system"));

    assertThatThrownBy(() -> ManagerLookup.ofSystem(root, 1000))
        .hasMessageContaining("run fleetd as root, or install and start dbus");
  }

  @Test
  void usersGoByThePrivateSocketBeforeTheBus() throws IOException {
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", root.toString());
    Path bus = make("bus");
    assertThat(ManagerLookup.ofUser(environment, 1000)).isEqualTo(new ManagerAddress.Bus(bus));

    Path privateSocket = make("systemd/private");

    assertThat(ManagerLookup.ofUser(environment, 1000))
        .isEqualTo(new ManagerAddress.PrivateSocket(privateSocket));
  }

  @Test
  void saysWhatIsMissingForAUserManager() {
    assertThatThrownBy(() -> ManagerLookup.ofUser(Map.of("XDG_RUNTIME_DIR", root.toString()), 1000))
        .hasMessageContaining(root + "/systemd/private does not exist")
        .hasMessageContaining("loginctl enable-linger");
  }

  @Test
  void saysThatNobodyListens() throws IOException {
    ManagerAddress stale = new ManagerAddress.PrivateSocket(make("systemd/private"));

    assertThatThrownBy(() -> DBusSystemd.connect(stale, new Deaf()))
        .isInstanceOf(SystemdException.class)
        .hasMessageContaining("cannot connect to systemd by " + stale.socket())
        .hasMessageContaining("Connection refused");
  }

  private static final class Deaf implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {}

    @Override
    public void reconnected() {}

    @Override
    public void disconnected(String why) {}
  }
}
