package fleet.core.machine;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** The part that a machine plays in its cluster. */
public enum Role implements EnumText {
  /** It runs units, and calls servers. */
  AGENT,
  /** Others may take it for one that decides, and call it. */
  SERVER;

  /** Reads what {@link #text} wrote. */
  public static Optional<Role> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
