package fleet.core.unit;

import fleet.core.text.SingleLine;
import java.util.regex.Pattern;

/** The names of sets of units, such as {@code shop}, which {@code apply} keeps together. */
public final class SetName {

  /** Means no set in requests; no set has this name. */
  public static final String NONE = "-";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final int SHOWN = 80;

  private SetName() {}

  /**
   * Checks a name, and returns it.
   *
   * @throws IllegalArgumentException if it is not valid; the message says what is
   */
  public static String valid(String name) {
    if (!VALID.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "set \"%s\": a name has up to 63 letters, digits, dots, dashes and underscores, and begins with a letter or digit"
              .formatted(SingleLine.of(name, SHOWN)));
    }
    return name;
  }
}
