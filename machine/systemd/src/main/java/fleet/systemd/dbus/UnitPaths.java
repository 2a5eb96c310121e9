package fleet.systemd.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;

/** The object and the interfaces by which systemd shows a unit. */
final class UnitPaths {

  static final String PREFIX = "/org/freedesktop/systemd1/unit";
  static final String UNIT = "org.freedesktop.systemd1.Unit";

  private UnitPaths() {}

  /** The path of a unit's object: all but letters and digits escaped as {@code _xx}. */
  static String of(UnitName unit) {
    StringBuilder path = new StringBuilder(PREFIX).append('/');
    byte[] name = unit.value().getBytes(UTF_8);
    for (int i = 0; i < name.length; i++) {
      char c = (char) (name[i] & 0xff);
      if (isLetter(c) || (isDigit(c) && i > 0)) {
        path.append(c);
      } else {
        path.append('_').append(Character.forDigit(c >> 4, 16));
        path.append(Character.forDigit(c & 0xf, 16));
      }
    }
    return path.toString();
  }

  /** The interface of the unit's type, such as {@code org.freedesktop.systemd1.Service}. */
  static String type(UnitType type) {
    String suffix = type.suffix();
    return MethodCall.SYSTEMD + "." + Character.toUpperCase(suffix.charAt(0)) + suffix.substring(1);
  }

  /** Whether units of the type have a result. */
  static boolean hasResult(UnitType type) {
    return switch (type) {
      case AUTOMOUNT, MOUNT, PATH, SCOPE, SERVICE, SOCKET, SWAP, TIMER -> true;
      case DEVICE, SLICE, TARGET -> false;
    };
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
