package fleet.core.unit;

import java.util.Locale;
import java.util.Optional;

/** The types of systemd unit that fleet knows, named by the suffix of the unit's name. */
public enum UnitType {
  AUTOMOUNT,
  DEVICE,
  MOUNT,
  PATH,
  SCOPE,
  SERVICE,
  SLICE,
  SOCKET,
  SWAP,
  TARGET,
  TIMER;

  private final String suffix = name().toLowerCase(Locale.ROOT);

  /** The suffix without its dot, such as {@code service}. */
  public String suffix() {
    return suffix;
  }

  /** Whether systemd knows templates and instances of this type. */
  public boolean mayBeTemplate() {
    return switch (this) {
      case PATH, SERVICE, SOCKET, TARGET, TIMER -> true;
      case AUTOMOUNT, DEVICE, MOUNT, SCOPE, SLICE, SWAP -> false;
    };
  }

  public static Optional<UnitType> ofSuffix(String suffix) {
    for (UnitType type : values()) {
      if (type.suffix.equals(suffix)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
