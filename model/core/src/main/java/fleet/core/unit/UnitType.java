package fleet.core.unit;

import fleet.core.text.EditDistance;
import java.util.Arrays;
import java.util.Comparator;
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

  /** Whether systemd starts units of this type; the others it makes up as they come. */
  public boolean canBeStarted() {
    return switch (this) {
      case AUTOMOUNT, MOUNT, PATH, SERVICE, SLICE, SOCKET, SWAP, TARGET, TIMER -> true;
      case DEVICE, SCOPE -> false;
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

  /** The type that a misspelt suffix was probably meant to be: a third of it may be wrong. */
  public static Optional<UnitType> nearest(String suffix) {
    String wanted = suffix.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(type -> type.distance(wanted) <= Math.max(1, type.suffix.length() / 3))
        .min(
            Comparator.<UnitType>comparingInt(type -> type.distance(wanted))
                .thenComparing(type -> !type.canBeStarted()));
  }

  private int distance(String wanted) {
    return EditDistance.between(wanted, suffix);
  }
}
