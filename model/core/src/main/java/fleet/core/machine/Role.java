package fleet.core.machine;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The part that a machine plays in its cluster. */
public enum Role {
  /** It runs units, and calls servers. */
  AGENT,
  /** Others may take it for one that decides, and call it. */
  SERVER;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<Role> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
