package fleet.core.machine;

import fleet.core.text.Keyword;
import java.util.Optional;

/** The part that a machine plays in its cluster. */
public enum Role implements Keyword {
  /** It runs units, and calls servers. */
  AGENT,
  /** Others may take it for one that decides, and call it. */
  SERVER;

  /** Reads what {@link #text} wrote. */
  public static Optional<Role> ofText(String text) {
    return Keyword.of(text, values());
  }
}
