package fleet.systemd.dbus;

import fleet.core.unit.UnitName;
import java.util.List;

/**
 * A method call.
 *
 * @param purpose for messages: what the call is to do, such as {@code start web.service}
 * @param destination the name on the bus
 * @param signature of the arguments, as D-Bus writes it
 */
record MethodCall(
    String purpose,
    String destination,
    String path,
    String type,
    String member,
    String signature,
    List<Object> arguments) {

  static final String SYSTEMD = "org.freedesktop.systemd1";
  static final String MANAGER_PATH = "/org/freedesktop/systemd1";
  static final String MANAGER = "org.freedesktop.systemd1.Manager";
  static final String BUS = "org.freedesktop.DBus";

  static MethodCall ofManager(
      String purpose, String member, String signature, Object... arguments) {
    return new MethodCall(
        purpose, SYSTEMD, MANAGER_PATH, MANAGER, member, signature, List.of(arguments));
  }

  static MethodCall ofUnit(String purpose, String member, UnitName unit) {
    return ofManager(purpose + " " + unit, member, "s", unit.value());
  }

  static MethodCall ofProperty(String purpose, String path, String type, String property) {
    return new MethodCall(
        purpose,
        SYSTEMD,
        path,
        "org.freedesktop.DBus.Properties",
        "Get",
        "ss",
        List.of(type, property));
  }

  static MethodCall ofPing() {
    return new MethodCall(
        "answer", SYSTEMD, MANAGER_PATH, "org.freedesktop.DBus.Peer", "Ping", "", List.of());
  }

  static MethodCall ofBus(String purpose, String member, String signature, Object... arguments) {
    return new MethodCall(
        purpose, BUS, "/org/freedesktop/DBus", BUS, member, signature, List.of(arguments));
  }
}
