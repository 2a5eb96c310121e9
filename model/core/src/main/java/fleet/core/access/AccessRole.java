package fleet.core.access;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** How much a grant allows. Each role includes those before it. */
public enum AccessRole implements EnumText {
  /** Sees units, states, machines, events and journals, but not the text of units. */
  VIEWER("a viewer may see units, machines, events and journals"),
  /** Reads and changes units. */
  OPERATOR("an operator may also read and change units"),
  /** Changes machines, settings, tokens and grants. */
  ADMIN("an admin may do everything");

  private final String allowed;

  AccessRole(String allowed) {
    this.allowed = allowed;
  }

  public boolean includes(AccessRole other) {
    return compareTo(other) >= 0;
  }

  /** Says what somebody with the role may do. */
  String allowed() {
    return allowed;
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<AccessRole> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
