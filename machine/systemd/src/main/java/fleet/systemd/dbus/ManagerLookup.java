package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Finds where a manager is reached, or says why it is not. */
final class ManagerLookup {

  private ManagerLookup() {}

  /**
   * The system's.
   *
   * @param root {@code /}; another in tests
   */
  static ManagerAddress ofSystem(Path root, long uid) {
    if (!Files.isDirectory(root.resolve("run/systemd/system"))) {
      throw new SystemdException(
          "",
          "systemd is not running here: /run/systemd/system does not exist; fleetd needs a machine"
              + " whose PID 1 is systemd, or a user manager (systemd_user=true)");
    }
    Path privateSocket = root.resolve("run/systemd/private");
    if (uid == 0 && Files.exists(privateSocket)) {
      return new ManagerAddress.PrivateSocket(privateSocket);
    }
    Path bus = root.resolve("run/dbus/system_bus_socket");
    if (Files.exists(bus)) {
      return new ManagerAddress.Bus(bus);
    }
    throw new SystemdException(
        "",
        uid == 0
            ? "systemd cannot be reached: neither /run/systemd/private nor"
                + " /run/dbus/system_bus_socket exists; see: systemctl status"
            : "systemd cannot be reached: /run/dbus/system_bus_socket does not exist; run fleetd as"
                + " root, or install and start dbus");
  }

  static ManagerAddress ofUser(Map<String, String> environment, long uid) {
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    Path directory = Path.of(runtime.isEmpty() ? "/run/user/" + uid : runtime);
    Path privateSocket = directory.resolve("systemd/private");
    if (Files.exists(privateSocket)) {
      return new ManagerAddress.PrivateSocket(privateSocket);
    }
    Path bus = directory.resolve("bus");
    if (Files.exists(bus)) {
      return new ManagerAddress.Bus(bus);
    }
    throw new SystemdException(
        "",
        "systemd's user manager is not there: %s does not exist; log in with a session of its own, or run: loginctl enable-linger %s"
            .formatted(privateSocket, System.getProperty("user.name")));
  }

  static long uid() {
    try {
      return ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
