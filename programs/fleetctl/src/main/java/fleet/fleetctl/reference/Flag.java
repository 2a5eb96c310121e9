package fleet.fleetctl.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A flag of a command.
 *
 * @param names short ones, then the long one
 * @param value the name of its value; empty if it takes none
 * @param needsValue whether the next word is its value
 * @param usual its default; empty for none
 */
public record Flag(
    List<String> names, String value, boolean needsValue, String description, String usual) {

  static Flag of(OptionSpec option) {
    String usual = Optional.ofNullable(option.defaultValue()).orElse("");
    return new Flag(
        names(option),
        option.arity().max() > 0 ? option.paramLabel() : "",
        option.arity().min() > 0,
        String.join(" ", option.description()),
        usual);
  }

  /** Further long names are there for old scripts. */
  private static List<String> names(OptionSpec option) {
    List<String> names = new ArrayList<>();
    boolean hasLong = false;
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      if (!isLong || !hasLong) {
        names.add(name);
      }
      hasLong |= isLong;
    }
    return names;
  }

  /** As it is typed: {@code -s, --signal=SIGNAL}. */
  public String text() {
    return String.join(", ", names) + (value.isEmpty() ? "" : "=" + value);
  }

  /** Its description, with the default. */
  public String meaning() {
    return description + (usual.isEmpty() ? "" : " [" + usual + "]");
  }
}
