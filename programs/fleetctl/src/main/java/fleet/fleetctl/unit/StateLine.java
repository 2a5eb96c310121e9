package fleet.fleetctl.unit;

import fleet.core.state.DesiredState;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first line of a unit file, if it says which state the unit is to have: {@code # state:
 * loaded}. A comment to all but {@code apply}, so it is no part of the unit, unlike {@code State=}.
 */
public final class StateLine {

  /** More than one word is a comment like others. */
  private static final Pattern LINE = Pattern.compile("\uFEFF?#[ \t]*state:[ \t]*(\\S+)[ \t]*");

  private StateLine() {}

  /** A text without it; others of its kind stay. */
  public static String without(String text) {
    int end = text.indexOf('\n') + 1;
    String first = end == 0 ? text : text.substring(0, end);
    Matcher line = LINE.matcher(first.stripTrailing());
    return line.matches() && DesiredState.ofText(line.group(1)).isPresent()
        ? text.substring(first.length())
        : text;
  }

  /** Writes it. It counts before anything that the text itself says. */
  static String write(String state) {
    return "# state: " + state + "\n";
  }

  /**
   * @param place of the text, for the message
   * @return empty if there is none
   * @throws UnitProblemException if it names no state
   */
  static Optional<DesiredState> of(String place, String text) throws UnitProblemException {
    Matcher line = LINE.matcher(text.lines().findFirst().orElse(""));
    if (!line.matches()) {
      return Optional.empty();
    }
    Optional<DesiredState> state = DesiredState.ofText(line.group(1));
    if (state.isEmpty()) {
      throw new UnitProblemException(
          "%s: the line \"# state: %s\" names no state: write launched, loaded or inactive"
              .formatted(place, line.group(1)));
    }
    return state;
  }
}
