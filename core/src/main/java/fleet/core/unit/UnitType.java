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

  /** The suffix without its dot, such as {@code service}. */
  public String suffix() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<UnitType> ofSuffix(String suffix) {
    for (UnitType type : values()) {
      if (type.suffix().equals(suffix)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
