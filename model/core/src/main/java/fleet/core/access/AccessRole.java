package fleet.core.access;

import fleet.core.text.Keyword;
import java.util.Optional;

/** How much a grant allows. Each role includes those before it. */
public enum AccessRole implements Keyword {
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
    return Keyword.of(text, values());
  }
}
