package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.util.Map;

/** Where a manager of systemd is reached. */
public sealed interface ManagerAddress {

  Path socket();

  /** systemd's own socket, which only root, or the manager's own user, may use. */
  record PrivateSocket(Path socket) implements ManagerAddress {
    @Override
    public String toString() {
      return socket.toString();
    }
  }

  /** The bus that the manager is on; what it lets a user do is up to polkit. */
  record Bus(Path socket) implements ManagerAddress {
    @Override
    public String toString() {
      return "the bus at " + socket;
    }
  }

  /**
   * The system's manager, or that of the user that this process runs as: by its private socket if
   * there is one that this user may use, else by the bus, over which the same work costs the
   * machine more.
   *
   * @param environment of the process, for {@code XDG_RUNTIME_DIR}
   * @throws SystemdException if there is none, with what to do
   */
  static ManagerAddress of(boolean user, Map<String, String> environment) {
    long uid = ManagerLookup.uid();
    return user
        ? ManagerLookup.ofUser(environment, uid)
        : ManagerLookup.ofSystem(Path.of("/"), uid);
  }
}
