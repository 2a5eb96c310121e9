package fleet.systemd.dbus;

import fleet.systemd.testing.PrivateManager;
import org.junit.jupiter.api.extension.RegisterExtension;

class PrivateSocketTest extends DBusSystemdContract {

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  @Override
  PrivateManager manager() {
    return manager;
  }

  @Override
  ManagerAddress address() {
    return new ManagerAddress.PrivateSocket(manager.privateSocket());
  }
}
