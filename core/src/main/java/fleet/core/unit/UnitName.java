package fleet.core.unit;

import java.util.Optional;

/**
 * The valid name of a systemd unit, such as {@code web.service} or {@code web@1.service}.
 *
 * <p>Immutable. Ordered by its text.
 */
public record UnitName(String value) implements Comparable<UnitName> {

  /** The longest name that systemd and fleet accept, in characters. */
  public static final int MAX_LENGTH = 256;

  /**
   * @throws InvalidUnitNameException with the first rule that the name breaks
   */
  public UnitName {
    throw new UnsupportedOperationException(value);
  }

  public static UnitName of(String value) {
    return new UnitName(value);
  }

  public UnitType type() {
    throw new UnsupportedOperationException();
  }

  /** Whether this names a template, such as {@code web@.service}, which cannot run itself. */
  public boolean isTemplate() {
    throw new UnsupportedOperationException();
  }

  public boolean isInstance() {
    throw new UnsupportedOperationException();
  }

  /** {@code web@1} of {@code web@1.service}. */
  public String withoutSuffix() {
    throw new UnsupportedOperationException();
  }

  /** {@code web} of {@code web@1.service} and of {@code web.service}. */
  public String prefix() {
    throw new UnsupportedOperationException();
  }

  /** {@code 1} of {@code web@1.service}; empty for plain units and templates. */
  public String instance() {
    throw new UnsupportedOperationException();
  }

  /** {@code web@.service} of {@code web@1.service}; empty for units that are not instances. */
  public Optional<UnitName> template() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(UnitName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
