package fleet.core.machine;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a machine may be to others of its cluster. */
public enum Role {
  /** It runs units, and calls servers. */
  AGENT,
  /** Others may take it for one that decides, and call it. */
  SERVER;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What {@link #text} wrote. */
  public static Optional<Role> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
