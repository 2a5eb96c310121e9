package fleet.core.unit;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The valid name of a systemd unit, such as {@code web.service} or {@code web@1.service}.
 *
 * <p>Immutable. Ordered by its text.
 */
public record UnitName(String value) implements Comparable<UnitName> {

  /** The length, in characters, beyond which fleet 1.0 refuses a name. */
  public static final int MAX_LENGTH = 256;

  /** Names of fleet's own parts, which no unit may have. */
  private static final Set<String> RESERVED =
      Set.of("fleet.service", "fleet.socket", "fleet-isolation.service");

  /**
   * @throws InvalidUnitNameException with the first rule that the name breaks
   */
  public UnitName {
    Optional<String> violation = UnitNameRules.violation(value);
    if (violation.isPresent()) {
      throw new InvalidUnitNameException(violation.get());
    }
  }

  public static UnitName of(String value) {
    return new UnitName(value);
  }

  /** The unit of that name; empty if it is no valid name. */
  public static Optional<UnitName> parse(String value) {
    try {
      return Optional.of(new UnitName(value));
    } catch (InvalidUnitNameException e) {
      return Optional.empty();
    }
  }

  public UnitType type() {
    String suffix = value.substring(value.lastIndexOf('.') + 1);
    return UnitType.ofSuffix(suffix).orElseThrow();
  }

  /** Whether the name is that of a part of fleet. */
  public boolean isReserved() {
    return RESERVED.contains(value);
  }

  /** Whether this names a template, such as {@code web@.service}, which cannot run itself. */
  public boolean isTemplate() {
    int at = value.indexOf('@');
    return at >= 0 && at + 1 == value.lastIndexOf('.');
  }

  public boolean isInstance() {
    return value.indexOf('@') >= 0 && !isTemplate();
  }

  /** {@code web@1} of {@code web@1.service}. */
  public String withoutSuffix() {
    return value.substring(0, value.lastIndexOf('.'));
  }

  /** {@code web} of {@code web@1.service} and of {@code web.service}. */
  public String prefix() {
    int at = value.indexOf('@');
    return at >= 0 ? value.substring(0, at) : withoutSuffix();
  }

  /** {@code 1} of {@code web@1.service}; empty for plain units and templates. */
  public String instance() {
    int at = value.indexOf('@');
    return at >= 0 ? value.substring(at + 1, value.lastIndexOf('.')) : "";
  }

  /** {@code web@.service} of {@code web@1.service}; empty for units that are not instances. */
  public Optional<UnitName> template() {
    return isInstance()
        ? Optional.of(new UnitName(prefix() + "@." + type().suffix()))
        : Optional.empty();
  }

  /**
   * The instance of this template, {@code web@1.service} of {@code web@.service}.
   *
   * @param instance as it stands in the name, escaped as {@code systemd-escape} does
   * @throws InvalidUnitNameException if this is no template, or the instance cannot be part of a
   *     name
   */
  public UnitName instantiate(String instance) {
    if (!isTemplate()) {
      throw new InvalidUnitNameException(
          "unit \"%s\" is not a template: only name@.%s has instances"
              .formatted(value, type().suffix()));
    }
    if (instance.isEmpty()) {
      throw new InvalidUnitNameException("instance of \"" + value + "\" cannot be empty");
    }
    return new UnitName(prefix() + "@" + instance + "." + type().suffix());
  }

  @Override
  public int compareTo(UnitName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  /** By hand, like {@link #hashCode}: names are looked up more often than anything else. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UnitName(String name) && value.equals(name);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }
}
