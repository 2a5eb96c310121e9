package fleet.systemd.dbus;

import fleet.systemd.SystemdException;

/** The fault of a call that did not succeed, in words for people. */
final class CallFailure {

  private static final String BUS_ERROR = "org.freedesktop.DBus.Error.";

  private CallFailure() {}

  static SystemdException of(MethodCall call, Frame error) {
    String name = error.errorName();
    String text = error.hasBody() ? error.body().string() : "";
    return new SystemdException(name, "cannot " + call.purpose() + ": " + reason(name, text));
  }

  static SystemdException lost(MethodCall call, String why) {
    return new SystemdException(
        "",
        "cannot tell whether systemd did: %s; the connection to it was lost: %s"
            .formatted(call.purpose(), why));
  }

  private static String reason(String name, String text) {
    String words = text.isEmpty() ? name : text + " (" + name + ")";
    if (name.equals(BUS_ERROR + "AccessDenied")
        || name.equals(BUS_ERROR + "InteractiveAuthorizationRequired")) {
      return words
          + "; run fleetd as root, or let polkit allow its user org.freedesktop.systemd1.*";
    }
    return words;
  }
}
