package fleet.registry.etcd;

import fleet.registry.etcd.EtcdOptions.Login;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.net.URI;

/** The users of an etcd that asks for names and passwords. */
final class Users {

  /** For the keys below {@code /fleet/} alone. */
  static final Login FLEET = new Login("fleet", "secret");

  private Users() {}

  static void enable(URI etcd) {
    try (Client client = Client.builder().endpoints(etcd).build()) {
      Auth auth = client.getAuthClient();
      auth.userAdd(text("root"), text("root")).join();
      auth.userGrantRole(text("root"), text("root")).join();
      auth.userAdd(text(FLEET.user()), text(FLEET.password())).join();
      auth.roleAdd(text("fleet")).join();
      auth.roleGrantPermission(
              text("fleet"), text("/fleet/"), text("/fleet0"), Permission.Type.READWRITE)
          .join();
      auth.userGrantRole(text(FLEET.user()), text("fleet")).join();
      auth.authEnable().join();
    }
  }

  private static ByteSequence text(String text) {
    return KeySpace.value(text);
  }
}
